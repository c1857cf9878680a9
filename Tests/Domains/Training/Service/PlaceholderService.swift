import Testing

@Test("It is there") func placeholderService() {}

// Go's sourcegraph/jsonrpc2: ids from 0, errors with their data as bytes, a context for every call.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

const (
	day  = "2026-01-05"
	name = "Oat bowl 🥣 für zwei"
)

type object = map[string]interface{}

type meal struct{ ID, Day, Name string }

type mealsChanged struct {
	Origin  string
	Changes []struct{ ID, Kind, Day string }
}

// pipes is a process's standard input and output as one stream.
type pipes struct {
	io.ReadCloser
	io.WriteCloser
}

func (p pipes) Close() error {
	if err := p.WriteCloser.Close(); err != nil {
		return err
	}
	return p.ReadCloser.Close()
}

func main() {
	fmt.Println("version:", runtime.Version())
	if err := session(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func session() error {
	scale, err := strconv.ParseFloat(os.Getenv("TIME_SCALE"), 64)
	if err != nil {
		scale = 1
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(scale*60)*time.Second)
	defer cancel()

	service := exec.CommandContext(ctx, os.Getenv("DAYBOOK"), "--data", os.Getenv("DAYBOOK_DATA"))
	service.Stderr = os.Stderr
	in, err := service.StdinPipe()
	if err != nil {
		return err
	}
	out, err := service.StdoutPipe()
	if err != nil {
		return err
	}
	if err := service.Start(); err != nil {
		return err
	}

	events := make(chan mealsChanged, 16)
	handler := func(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (interface{}, error) {
		if r.Method == "mealsChanged" {
			var event mealsChanged
			if err := json.Unmarshal(*r.Params, &event); err != nil {
				return nil, err
			}
			events <- event
		}
		if r.Method == "client/confirm" {
			var question struct{ Message string }
			err := json.Unmarshal(*r.Params, &question)
			return object{"confirmed": question.Message == "🥣?"}, err
		}
		return nil, nil
	}
	stream := jsonrpc2.NewBufferedStream(pipes{out, in}, jsonrpc2.VSCodeObjectCodec{})
	conn := jsonrpc2.NewConn(ctx, stream, jsonrpc2.HandlerWithError(handler))

	if err := converse(ctx, conn, events); err != nil {
		return err
	}
	select {
	case <-conn.DisconnectNotify():
	case <-ctx.Done():
		return fmt.Errorf("exit: %w", ctx.Err())
	}
	if err := service.Wait(); err != nil {
		return fmt.Errorf("exit: %w", err)
	}
	return nil
}

func converse(ctx context.Context, conn *jsonrpc2.Conn, events <-chan mealsChanged) error {
	var hello struct {
		ProtocolVersion int
		ServerInfo      struct{ Name string }
	}
	params := object{"processId": os.Getpid(), "capabilities": object{"confirm": object{}}}
	if err := conn.Call(ctx, "initialize", params, &hello); err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	if hello.ServerInfo.Name != "daybook" || hello.ProtocolVersion != 1 {
		return fmt.Errorf("initialize: %+v", hello)
	}
	if err := conn.Notify(ctx, "initialized", object{}); err != nil {
		return err
	}

	var added struct{ Meal meal }
	if err := conn.Call(ctx, "meals/add", object{"name": name, "calories": 350, "day": day}, &added); err != nil {
		return fmt.Errorf("meals/add: %w", err)
	}
	if added.Meal.Name != name || added.Meal.Day != day {
		return fmt.Errorf("meals/add: %+v", added)
	}
	select {
	case event := <-events:
		if event.Origin != "thisFrontend" || len(event.Changes) != 1 || event.Changes[0].ID != added.Meal.ID ||
			event.Changes[0].Kind != "added" || event.Changes[0].Day != day {
			return fmt.Errorf("mealsChanged: %+v", event)
		}
	case <-ctx.Done():
		return fmt.Errorf("mealsChanged: %w", ctx.Err())
	}

	var list struct{ Meals []meal }
	if err := conn.Call(ctx, "meals/list", object{"day": day}, &list); err != nil {
		return fmt.Errorf("meals/list: %w", err)
	}
	if len(list.Meals) != 1 || list.Meals[0] != added.Meal {
		return fmt.Errorf("meals/list: %+v", list)
	}

	if err := ask(ctx, conn); err != nil {
		return err
	}
	if err := refused(conn.Call(ctx, "meals/add", object{"name": name, "calories": 99999}, nil)); err != nil {
		return err
	}

	var null json.RawMessage
	if err := conn.Call(ctx, "shutdown", nil, &null); err != nil || string(null) != "null" {
		return fmt.Errorf("shutdown: %s, %v", null, err)
	}
	return conn.Notify(ctx, "exit", nil)
}

// ask makes a debug build ask the client, which confirms.
func ask(ctx context.Context, conn *jsonrpc2.Conn) error {
	var info struct{ Build string }
	if err := conn.Call(ctx, "server/info", nil, &info); err != nil || info.Build != "debug" {
		return err
	}
	var said struct{ Answered, Confirmed bool }
	question := object{"message": "🥣?", "default": false, "timeoutMs": 60000}
	if err := conn.Call(ctx, "debug/ask", question, &said); err != nil {
		return fmt.Errorf("debug/ask: %w", err)
	}
	if !said.Answered || !said.Confirmed {
		return fmt.Errorf("debug/ask: %+v", said)
	}
	return nil
}

// refused checks that a meal of 99999 kcal was refused with the right error.
func refused(err error) error {
	var refusal *jsonrpc2.Error
	if !errors.As(err, &refusal) || refusal.Code != jsonrpc2.CodeInvalidParams || refusal.Data == nil {
		return fmt.Errorf("99999 kcal: %v", err)
	}
	var data struct{ Name, Pointer string }
	if err := json.Unmarshal(*refusal.Data, &data); err != nil {
		return err
	}
	if data.Name != "invalidParams" || data.Pointer != "/calories" {
		return fmt.Errorf("99999 kcal: %s", *refusal.Data)
	}
	return nil
}

// A client in Go: starts a session by name with plain JSON, steers it, approves what it asks, and prints its result.
// The fields that it does not use are left out; `holdfast schema` prints all of them as JSON Schema.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"os"
	"time"

	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
)

type start struct {
	Prompt       string         `json:"prompt"`
	OutputSchema map[string]any `json:"outputSchema"`
	Loop         loop           `json:"loop"`
}

type loop struct {
	DeadlineMs int64 `json:"deadlineMs"`
}

type steer struct {
	ID      string `json:"id"`
	Message string `json:"message"`
}

type snapshot struct {
	Turn      int `json:"turn"`
	Approvals []struct {
		ID         string `json:"id"`
		Summary    string `json:"summary"`
		ArgsDigest string `json:"argsDigest"`
	} `json:"approvals"`
}

type approval struct {
	ID         string `json:"id"`
	Approve    bool   `json:"approve"`
	Actor      string `json:"actor"`
	ArgsDigest string `json:"argsDigest"`
}

type result struct {
	Status string          `json:"status"`
	Answer string          `json:"answer"`
	Output json.RawMessage `json:"output"`
	Error  *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, taskQueue, sessionID string) error {
	temporal, err := client.Dial(client.Options{
		HostPort: os.Getenv("TEMPORAL_ADDRESS"),
		Logger:   sdklog.NewStructuredLogger(slog.New(slog.NewTextHandler(os.Stderr, nil))),
	})
	if err != nil {
		return err
	}
	defer temporal.Close()
	session, err := temporal.ExecuteWorkflow(ctx,
		client.StartWorkflowOptions{ID: sessionID, TaskQueue: taskQueue}, "agentSession",
		start{Prompt: "Find out why checkout is slow, and repair it.", OutputSchema: causeSchema, Loop: loop{DeadlineMs: 600_000}})
	if err != nil {
		return err
	}
	hint := steer{ID: "hint-1", Message: "The deploy of 14:00 was rolled back at 14:05."}
	if err := temporal.SignalWorkflow(ctx, sessionID, "", "steer", hint); err != nil {
		return err
	}
	if err := approveFirst(ctx, temporal, sessionID); err != nil {
		return err
	}
	var ended result
	if err := session.Get(ctx, &ended); err != nil {
		return err
	}
	if ended.Error != nil {
		return fmt.Errorf("%s: %s", ended.Error.Code, ended.Error.Message)
	}
	fmt.Println(ended.Status, string(ended.Output))
	return nil
}

// approveFirst waits until something needs an approval, and approves it.
func approveFirst(ctx context.Context, temporal client.Client, sessionID string) error {
	for {
		var seen snapshot
		answer, err := temporal.QueryWorkflow(ctx, sessionID, "", "snapshot")
		if err != nil {
			return err
		}
		if err := answer.Get(&seen); err != nil {
			return err
		}
		if len(seen.Approvals) == 0 {
			time.Sleep(500 * time.Millisecond)
			continue
		}
		waiting := seen.Approvals[0]
		fmt.Printf("turn %d: approving %s\n", seen.Turn, waiting.Summary)
		update, err := temporal.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
			WorkflowID:   sessionID,
			UpdateName:   "resolveApproval",
			WaitForStage: client.WorkflowUpdateStageCompleted,
			Args:         []any{approval{ID: waiting.ID, Approve: true, Actor: "incident-team", ArgsDigest: waiting.ArgsDigest}},
		})
		if err != nil {
			return err
		}
		return update.Get(ctx, nil)
	}
}

var causeSchema = map[string]any{
	"type": "object",
	"properties": map[string]any{
		"cause":      map[string]any{"type": "string"},
		"confidence": map[string]any{"enum": []string{"high", "low"}},
	},
	"required": []string{"cause", "confidence"},
}

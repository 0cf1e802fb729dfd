"""Workflows in Python that have Holdfast investigate: a session is a child, started by name with plain JSON.

    python incident.py repair|look TASK_QUEUE WORKFLOW_ID
"""

import asyncio
import json
import os
import sys
from datetime import timedelta
from typing import Any

from temporalio import workflow
from temporalio.client import Client
from temporalio.worker import Worker

CAUSE = {
    "type": "object",
    "properties": {"cause": {"type": "string"}, "confidence": {"enum": ["high", "low"]}},
    "required": ["cause", "confidence"],
}


def start_session(task_queue: str, start: dict[str, Any]) -> Any:
    """The child stops its model and tools when it is cancelled, and when its parent ends; it still has a result then."""
    return workflow.start_child_workflow(
        "agentSession",
        start,
        id=f"{workflow.info().workflow_id}/investigation",
        task_queue=task_queue,
        parent_close_policy=workflow.ParentClosePolicy.REQUEST_CANCEL,
        cancellation_type=workflow.ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    )


@workflow.defn
class Repair:
    """Tells the agent what it knows, answers what waits for approval, and takes the result."""

    def __init__(self) -> None:
        self.approvals: list[dict[str, Any]] = []

    @workflow.signal
    def session_news(self, news: dict[str, Any]) -> None:
        """The session sends it whenever something else waits for people."""
        self.approvals = news["approvals"]

    @workflow.run
    async def run(self, task_queue: str) -> dict[str, Any]:
        session = await start_session(
            task_queue,
            {
                "prompt": "Find out why checkout is slow, and repair it.",
                "outputSchema": CAUSE,
                "loop": {"deadlineMs": 600_000},
                "throwOnFailure": True,
                "notify": {"workflowId": workflow.info().workflow_id, "signal": "session_news"},
            },
        )
        hint = "The deploy of 14:00 was rolled back at 14:05."
        await session.signal("steer", {"id": "hint-1", "message": hint})
        await workflow.wait_condition(lambda: len(self.approvals) > 0, timeout=timedelta(minutes=10))
        # a workflow cannot query: a worker of the session reads the snapshot
        snapshot: dict[str, Any] = await workflow.execute_activity(
            "readSnapshot",
            {"sessionId": session.id},
            task_queue=task_queue,
            start_to_close_timeout=timedelta(seconds=20),
        )
        for approval in self.approvals:
            answer = {"approve": True, "actor": "incident-team", "argsDigest": approval["argsDigest"]}
            await session.signal("resolveApproval", {"id": approval["id"], **answer})
        result: dict[str, Any] = await session
        return {"turn": snapshot["turn"], "status": result["status"], "output": result["output"]}


@workflow.defn
class Look:
    """Looks for a second, then cancels the session and takes what is there."""

    @workflow.run
    async def run(self, task_queue: str) -> dict[str, Any]:
        session = await start_session(task_queue, {"prompt": "Look around."})
        await workflow.wait([session], timeout=1)
        session.cancel()
        result: dict[str, Any] = await session
        return {"status": result["status"]}


async def main(name: str, task_queue: str, workflow_id: str) -> None:
    client = await Client.connect(os.environ.get("TEMPORAL_ADDRESS", "localhost:7233"))
    run = {"repair": Repair.run, "look": Look.run}[name]
    own_queue = f"{workflow_id}-team"
    async with Worker(client, task_queue=own_queue, workflows=[Repair, Look]):
        result = await client.execute_workflow(run, task_queue, id=workflow_id, task_queue=own_queue)
    print(json.dumps(result))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
    # a thread of the SDK may still run, and would break the end of the interpreter (temporalio/sdk-python, issue 300)
    sys.stdout.flush()
    os._exit(0)

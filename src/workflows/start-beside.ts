// Starts a workflow that outlives the one that starts it. Runs in the workflow.
import {
  WorkflowExecutionAlreadyStartedError,
  type WithWorkflowArgs,
  type Workflow,
} from '@temporalio/common';
import {
  type ChildWorkflowHandle,
  type ChildWorkflowOptions,
  ParentClosePolicy,
  startChild,
} from '@temporalio/workflow';

/** Undefined if a workflow has the id already. */
export async function startBeside<T extends Workflow>(
  type: string,
  options: WithWorkflowArgs<T, ChildWorkflowOptions>,
): Promise<ChildWorkflowHandle<T> | undefined> {
  try {
    return await startChild<T>(type, { ...options, parentClosePolicy: ParentClosePolicy.ABANDON });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
}

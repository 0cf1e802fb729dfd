// What a tool throws when the fault is not its own: a lost server, an unreachable workflow. Runs in Node.

/** Fails the attempt instead of becoming a result, so that Temporal retries it by the tool's effect. */
export class ToolInfrastructureError extends Error {
  override readonly name = 'ToolInfrastructureError';
}

/** Thrown by a tool's body before it has begun anything: the call is refused, and has not failed. */
export class NotRun extends Error {
  override readonly name = 'NotRun';

  constructor(reason: string) {
    super(`Not run: ${reason}`);
  }
}

/** Thrown by the body of a tool that has begun nothing: its call is refused, and has not failed. */
export class NotRun extends Error {
  override readonly name = 'NotRun';

  constructor(reason: string) {
    super(`Not run: ${reason}`);
  }
}

// The error of one attempt at a delivery, in words for people.

/** `isFinal`: another attempt would end in the same way. `afterMs`: the receiver asks to wait so long. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly isFinal: boolean;
  readonly afterMs: number | undefined;

  constructor(message: string, { isFinal = false, afterMs }: { isFinal?: boolean; afterMs?: number } = {}) {
    super(message);
    this.isFinal = isFinal;
    this.afterMs = afterMs;
  }
}

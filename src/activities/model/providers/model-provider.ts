// The one interface behind which a model vendor stands. A provider translates and streams; it does not retry,
// does not classify (classify-failure does), and keeps no state between calls.
import type { ImagePart, Usage } from '../../../core/model/messages.ts';
import type { ModelDelta, ModelReply, ModelRequest } from '../../../core/model/model-call.ts';

export type ModelCallOptions = {
  /** Reaches the HTTP request. */
  signal: AbortSignal;
  onDelta(delta: ModelDelta): void;
  /** The provider withdrew its reply in mid stream and begins another: what was shown and counted is not part of it. */
  onRestart?(): void;
  /** Told what the provider has counted so far, each time that is more: a reply that is stopped was paid for too. */
  onUsage?(usage: Usage): void;
  /** Overrides the configured key for this attempt; empty or absent leaves it. */
  apiKey?: string;
  /** Makes the HTTP request instead of the global one; a provider without a network has no use for it. */
  fetch?: typeof fetch;
  /** Bytes of an image that a message names. */
  loadImage(image: ImagePart): Promise<Uint8Array>;
};

export interface ModelProvider {
  /** The part of a model reference before the colon. */
  readonly name: string;
  /**
   * Makes exactly one HTTP request and returns the whole reply. Throws the SDK's own error, a ConnectionFault where no
   * answer came, or a StreamFault when the stream is not a complete reply; never returns part of one.
   */
  call(request: ModelRequest, options: ModelCallOptions): Promise<ModelReply>;
}

// The interface of every model vendor. A provider translates and streams; it does not retry, and keeps no state between
// calls.
import type { ModelFailureType } from '@holdfast/base/failures';
import type { ImagePart, Usage } from '@holdfast/vocabulary/messages';
import type { ModelDelta, ModelReply, ModelRequest } from '@holdfast/vocabulary/model-call';

export type LoadImage = (image: ImagePart) => Promise<Uint8Array>;

export type ModelCallOptions = {
  /** Pass it to the HTTP request. */
  signal: AbortSignal;
  onDelta(delta: ModelDelta): void;
  /** Called when the provider withdraws its reply midway and begins another: earlier pieces and counts are not part of it. */
  onRestart?(): void;
  /** Called with the provider's counts so far, whenever they grow: a stopped reply was paid for too. */
  onUsage?(usage: Usage): void;
  /** Overrides the configured key for this attempt; empty or absent leaves it. */
  apiKey?: string;
  /** Makes the HTTP request instead of the global one; a provider without a network ignores it. */
  fetch?: typeof fetch;
  /** Loads the bytes of an image that a message names. */
  loadImage: LoadImage;
};

/** The reason for a call without a reply; packages/base/src/failures.ts has the consequences of each type. */
export type ModelFailure = {
  type: ModelFailureType;
  /** For people: the problem and the remedy. No secrets, no payloads, at most about 500 characters. */
  message: string;
  /** The provider's delay before a retry, capped at 300,000. Default: the delay of Holdfast. */
  retryAfterMs?: number;
  /** The provider's id of the request, for its support. */
  requestId?: string;
  /** The provider's counts before the failure. */
  usage?: Usage;
};

export interface ModelProvider {
  /** The part of a model's name before the colon. */
  readonly name: string;
  /** True if a model can see images; other models get a note in an image's place. Default: all can. */
  takesImages?(modelId: string): boolean;
  /**
   * Makes one HTTP request, or one more for each part that the server refuses, and returns the whole reply. Throws a ProviderError for an error that the provider
   * reports, or a ModelFault if no answer came or the stream is not a complete reply; never returns part of one.
   */
  call(request: ModelRequest, options: ModelCallOptions): Promise<ModelReply>;
  /** The failure for an error of `call`. Undefined, or absent: classify-failure.ts decides. */
  classify?(error: unknown, redact: (text: string) => string): ModelFailure | undefined;
}

// The one interface in front of every model vendor. A provider translates and streams; it does not retry, and keeps no
// state between calls.
import type { ModelFailureType } from '../../../core/base/failures.ts';
import type { ImagePart, Usage } from '../../../core/model/messages.ts';
import type { ModelDelta, ModelReply, ModelRequest } from '../../../core/model/model-call.ts';

export type LoadImage = (image: ImagePart) => Promise<Uint8Array>;

export type ModelCallOptions = {
  /** Reaches the HTTP request. */
  signal: AbortSignal;
  onDelta(delta: ModelDelta): void;
  /** The provider withdrew its reply in mid stream and begins another: pieces and counts so far are not part of it. */
  onRestart?(): void;
  /** Gets the provider's counts so far, each time that they grow: a reply that is stopped was paid for too. */
  onUsage?(usage: Usage): void;
  /** Overrides the configured key for this attempt; empty or absent leaves it. */
  apiKey?: string;
  /** Makes the HTTP request instead of the global one; a provider without a network has no use for it. */
  fetch?: typeof fetch;
  /** Bytes of an image that a message names. */
  loadImage: LoadImage;
};

/** Why a model call brought no reply; core/base/failures.ts says what follows from each type. */
export type ModelFailure = {
  type: ModelFailureType;
  /** For people: what happened, and what to do. No secrets, no payloads, at most about 500 characters. */
  message: string;
  /** When the provider asks to be called again; capped at 300,000. Absent: the own delay counts. */
  retryAfterMs?: number;
  /** The provider's id of the request, for its support. */
  requestId?: string;
  /** The provider's counts before the failure. */
  usage?: Usage;
};

export interface ModelProvider {
  /** The part of a model's name before the colon. */
  readonly name: string;
  /** Whether a model can see images; absent: all can. Others get a note in an image's place. */
  takesImages?(modelId: string): boolean;
  /**
   * Makes exactly one HTTP request and returns the whole reply. Throws a ProviderError for an error that the provider
   * reports, a ConnectionFault where no answer came, or a StreamFault when the stream is not a complete reply; never
   * returns part of one.
   */
  call(request: ModelRequest, options: ModelCallOptions): Promise<ModelReply>;
  /** The failure behind an error of `call`; undefined, or absent: as classify-failure says. */
  classify?(error: unknown, redact: (text: string) => string): ModelFailure | undefined;
}

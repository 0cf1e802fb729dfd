// The check of who has sent a request: each format whose sender signs has one, and this is what it is given and answers.
import type { ReceiverConfig } from './receivers.schema.ts';
import { parseBody, type ParsedBody } from './parse-body.ts';

/** `reason` has no values of the body; `value` is the one at fault. */
export type AlertsRefused = {
  ok: false;
  status: 401 | 403 | 413 | 422 | 502 | 503;
  code:
    | 'Alerts.BadSignature'
    | 'Alerts.UnknownTopic'
    | 'Alerts.NotChecked'
    | 'Alerts.TooMany'
    | 'Alerts.Shape';
  reason: string;
  value?: string;
};

export type AlertRequest = {
  /** As they came: signatures are those of the bytes. */
  bytes: Uint8Array;
  /** Reads the bytes, the first time alone. */
  parse(): ParsedBody;
  /** By its name in lower case. */
  header(name: string): string | undefined;
};

export function alertRequest(bytes: Uint8Array, header: AlertRequest['header']): AlertRequest {
  let parsed: ParsedBody | undefined;
  return { bytes, header, parse: () => (parsed ??= parseBody(bytes)) };
}

export type IntakeDeps = {
  /** The value of a reference, `secret://name`. */
  resolveSecret(reference: string): Promise<string>;
  /** The text at an https address of Amazon SNS; it may be one that was fetched before. Rejects where there is none. */
  fetchText(url: string): Promise<string>;
  /** In ms since the epoch. */
  now: number;
};

export type SenderCheck = {
  /** True if the setting that turns it on is there; it then takes the place of a token. */
  isSetFor(receiver: ReceiverConfig): boolean;
  /** Never rejects. Undefined for a sender that is who it says. */
  refuse(
    receiver: ReceiverConfig,
    request: AlertRequest,
    deps: IntakeDeps,
  ): Promise<AlertsRefused | undefined>;
};

export function misshapenBody(reason: string): AlertsRefused {
  return { ok: false, status: 422, code: 'Alerts.Shape', reason };
}

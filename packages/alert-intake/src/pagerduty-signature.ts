// Checks the signatures of PagerDuty: HMAC-SHA256 of the raw body, several in one header while a secret is changed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { messageOf } from '@holdfast/base/message-of';
import type { SenderCheck } from './sender-check.ts';

export const pagerdutyHeader = 'x-pagerduty-signature';

export const pagerdutySender: SenderCheck = {
  isSetFor: ({ signingSecret }) => signingSecret !== undefined,
  async refuse({ signingSecret = '' }, { bytes, header }, { resolveSecret }) {
    let secret: string;
    try {
      secret = await resolveSecret(signingSecret);
    } catch (error) {
      const reason = `The signature cannot be checked: ${messageOf(error)}`;
      return { ok: false, status: 503, code: 'Alerts.NotChecked', reason };
    }
    const reason = faultOfPagerduty(header(pagerdutyHeader), bytes, secret);
    return reason === undefined ? undefined : { ok: false, status: 401, code: 'Alerts.BadSignature', reason };
  },
};

/** Undefined for a good signature, else the reason; it never has the secret or the signature. */
function faultOfPagerduty(header: string | undefined, body: Uint8Array, secret: string): string | undefined {
  if (!header)
    return 'X-PagerDuty-Signature is missing: expected v1=<hex>. Make the subscription in PagerDuty with a secret.';
  const expected = Buffer.from(signPagerduty(body, secret));
  const given = header.split(',').map((text) => Buffer.from(text.trim()));
  const isGood = given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  return isGood
    ? undefined
    : 'X-PagerDuty-Signature does not fit: expected the HMAC-SHA256 of the body with the signingSecret of this receiver.';
}

export function signPagerduty(body: Uint8Array, secret: string): string {
  return `v1=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

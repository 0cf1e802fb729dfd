// Whose server and key the wires of OpenAI use.
import { isHostOf } from '../vendor.ts';

export const account = { name: 'openai', prefix: 'OPENAI', baseUrl: 'https://api.openai.com/v1' } as const;

/** OpenAI's own servers, of any region; everything else merely speaks its format. */
export function isOpenAi(url: string): boolean {
  return isHostOf(url, account.baseUrl);
}

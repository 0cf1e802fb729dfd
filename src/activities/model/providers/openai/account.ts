// The server and key of OpenAI's wires.
import { isHostOf } from '../vendor.ts';

export const account = { name: 'openai', prefix: 'OPENAI', baseUrl: 'https://api.openai.com/v1' } as const;

/** OpenAI's own servers, of any region; all others merely speak its format. */
export function isOpenAi(url: string): boolean {
  return isHostOf(url, account.baseUrl);
}

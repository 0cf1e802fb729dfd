// What a provider would refuse in a request: undefined where it is fine, else its complaint.
import type { IncomingHttpHeaders } from 'node:http';
import { chatRefusal } from './wire-checks-chat.ts';
import { messagesRefusal } from './wire-checks-messages.ts';
import { responsesRefusal } from './wire-checks-responses.ts';
import { Refusal } from './wire-demand.ts';
import type { WireObject } from './wire-demand.ts';

export function refusalOf(path: string, body: WireObject, headers: IncomingHttpHeaders): string | undefined {
  try {
    if (path.endsWith('/chat/completions')) chatRefusal(body);
    else if (path.endsWith('/messages')) messagesRefusal(body, headers);
    else if (path.endsWith('/responses')) responsesRefusal(body);
    else throw new Refusal(`no such path: ${path}`);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

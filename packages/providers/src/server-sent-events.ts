// The events of an answer's body: server-sent events, and what servers send in their place. Pure but for the reading.
import { type Json, parseJson, readJsonText } from '@holdfast/base/json';

/** `name`: that of the event; '' without one. */
export type NamedEvent = { name: string; event: Json };

/** The line that ends a stream of Chat Completions. */
export const done = '[DONE]';
/** Names of events that are errors whatever they hold: AWS has one for each exception. */
export const errorName = /^error|exception$/i;
/** A line break at the end of what has come may be the first half of CR LF. */
const lineBreak = /\r\n|\n|\r(?=[^\n])/;

/**
 * https://html.spec.whatwg.org/multipage/server-sent-events.html, and three things beside it: lines of JSON without a field
 * name are data (a body that is one JSON value, lines of JSON), `error:` is an event of that name, as llama.cpp wrote it, and
 * a line that holds a whole value is an event, because some servers leave out the blank line behind it.
 */
export async function* readEvents(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<NamedEvent> {
  let name = '';
  let data: string[] = [];
  for await (const line of readLines(reader)) {
    const [, field = '', value = ''] = /^(event|data|error)(?:: ?(.*))?$/s.exec(line) ?? [];
    const isData = field === 'data' || /^[\s{}[\]"]/.test(line);
    if (field === 'event') name = value;
    else if (field === 'error') yield { name: field, event: parseJson(value) ?? value };
    else if (line === '') {
      if (data.length > 0 || errorName.test(name)) yield { name, event: toEvent(name, data.join('\n')) };
      name = '';
      data = [];
    } else if (isData) {
      const text = field === 'data' ? value : line;
      const event = data.length === 0 ? wholeIn(text) : undefined;
      if (event !== undefined) yield { name, event };
      else if (text.trim() !== '') data.push(text);
    }
  }
}

const wholeIn = (text: string): Json | undefined => (text.trim() === done ? done : parseJson(text));

/** Throws a SyntaxError for data that is not JSON; an error may be a text. */
function toEvent(name: string, text: string): Json {
  return wholeIn(text) ?? (errorName.test(name) ? text : readJsonText(text));
}

/** Ends with an empty line: the last event may have none behind it. */
async function* readLines(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<string> {
  let rest = '';
  for (;;) {
    const { value = '', done: isEnd } = await reader.read();
    const lines = (rest + value).split(lineBreak);
    rest = isEnd ? '' : (lines.pop() ?? '');
    yield* lines;
    if (isEnd) return yield '';
  }
}

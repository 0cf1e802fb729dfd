// The frames of an answer's body: server-sent events, and what servers send in their place. Pure but for the reading.
/** `name`: that of the event; '' without one. */
export type Frame = { name: string; data: string };

/** A line break at the end of what has come may be the first half of CR LF. */
const lineBreak = /\r\n|\n|\r(?=[^\n])/;

/**
 * https://html.spec.whatwg.org/multipage/server-sent-events.html, and two things beside it: lines of JSON without a field
 * name are data (a body that is one JSON value, lines of JSON), and `error:` is an event of that name, as llama.cpp wrote it.
 */
export async function* readFrames(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<Frame> {
  let name = '';
  let data: string[] = [];
  for await (const line of readLines(reader)) {
    const [, field = '', value = ''] = /^(event|data|error)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') name = value;
    else if (field === 'data') data.push(value);
    else if (field === 'error') yield { name: field, data: value };
    else if (/^[\s{}[\]"]/.test(line)) data.push(line);
    else if (line === '') {
      if (data.length > 0) yield { name, data: data.join('\n') };
      name = '';
      data = [];
    }
  }
  if (data.length > 0) yield { name, data: data.join('\n') };
}

async function* readLines(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<string> {
  let rest = '';
  for (;;) {
    const { value = '', done } = await reader.read();
    const lines = (rest + value).split(lineBreak);
    rest = done ? '' : (lines.pop() ?? '');
    yield* lines;
    if (done) return;
  }
}

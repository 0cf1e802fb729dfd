// Reads server-sent events of an answer, frame by frame, as their specification says.

export type Frame = {
  id?: string;
  event?: string;
  retry?: string;
  comment?: string;
  data: Record<string, unknown>;
};

/** Ends when the stream does; what its end cuts is no frame. */
export async function* readFrames(answer: Response): AsyncGenerator<Frame, void, undefined> {
  if (answer.body === null) throw new Error('The answer has no body.');
  let text = '';
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield toFrame(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

function toFrame(text: string): Frame {
  const fields = text.split('\n').map((line) => {
    const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
    return [name === '' ? 'comment' : name, value] as const;
  });
  const { data = '{}', ...rest } = Object.fromEntries(fields);
  return { ...rest, data: JSON.parse(data) as Record<string, unknown> };
}

/** Frames until one that `isLast` takes, or the end of the stream, which stays open before that. */
export async function readUntil(
  frames: AsyncGenerator<Frame, void, undefined>,
  isLast: (frame: Frame) => boolean = () => false,
): Promise<Frame[]> {
  const read: Frame[] = [];
  for (;;) {
    const { value, done } = await frames.next();
    if (done === true) return read;
    read.push(value);
    if (isLast(value)) return read;
  }
}

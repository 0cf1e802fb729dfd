// Recorded provider traffic of the shared data, as events and as answers of the replay server.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { sharedPath } from './shared.ts';
import type { Wire, WireEvent } from './sse.ts';

/** Recorded streams by wire; the encrypted-reasoning file holds four replies in a row. */
export const recordedStreams: { wire: Wire; file: string }[] = [
  { wire: 'openai-chat', file: 'openai-text' },
  { wire: 'openai-responses', file: 'openai-client-tool-search.2' },
  { wire: 'openai-responses', file: 'openai-phase.1' },
  { wire: 'openai-responses', file: 'openai-reasoning-encrypted-content.1' },
  { wire: 'anthropic', file: 'anthropic-clear-thinking.1' },
  { wire: 'anthropic', file: 'anthropic-json-other-tool.1' },
  { wire: 'anthropic', file: 'anthropic-json-tool.1' },
  { wire: 'anthropic', file: 'anthropic-json-tool.2' },
  { wire: 'anthropic', file: 'anthropic-text' },
];

/** The replies of one recorded stream file: usually one. */
export function loadStream(wire: Wire, file: string): WireEvent[][] {
  const lines = readShared(`model-streams/${wire}/${file}.chunks.txt`)
    .split('\n')
    .filter((line) => line !== '');
  const replies: WireEvent[][] = [[]];
  for (const line of lines) {
    const event = JSON.parse(line) as WireEvent;
    replies.at(-1)?.push(event);
    if (event['type'] === 'response.completed') replies.push([]);
  }
  return replies.filter((reply) => reply.length > 0);
}

export type Exchange = {
  request: Record<string, unknown>;
  /** The recorded SSE text, or the recorded JSON body. */
  stream?: string;
  reply?: Record<string, unknown>;
};

type Recording = {
  interactions: {
    request: { parsed_body: Record<string, unknown> };
    response: { parsed_body?: Record<string, unknown>; body?: { string: string } };
  }[];
};

export function loadCassette(file: string): Exchange[] {
  const recording = parse(readShared(`model-cassettes/${file}.yaml`)) as Recording;
  return recording.interactions.map(({ request, response }) => ({
    request: request.parsed_body,
    ...(response.body === undefined ? {} : { stream: response.body.string }),
    ...(response.parsed_body === undefined ? {} : { reply: response.parsed_body }),
  }));
}

function readShared(path: string): string {
  const found = sharedPath(`data/${path}`);
  if (found === undefined) throw new Error(`${path} is missing: guard the test with sharedPath()`);
  return readFileSync(found, 'utf8');
}

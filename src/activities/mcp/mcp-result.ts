// The result of an MCP call as a tool's: texts, images in the artifact store, and a line for everything that a model
// cannot be shown. Runs in Node.
import { isUtf8 } from 'node:buffer';
import { defined } from '@holdfast/base/defined';
import { specTypeSchemas } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { cutText } from '@holdfast/base/cut-text';
import { isRecord, parseJson } from '@holdfast/base/json';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import type { ImagePart } from '@holdfast/vocabulary/messages';
import { canonicalJson } from '../base/digest.ts';
import { sha256Hex } from '@holdfast/stored/sha256';
import { looksBinary, toOneLine } from '@holdfast/redaction/sanitise';
import type { ToolContext, ToolReturn } from '../tools/define-tool.ts';

/** Types that models of all vendors accept. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

type Shown = { text: string; image?: ImagePart };

/** Its parts are read one by one: an unknown one must not cost the others. */
export const mcpResultSchema = z.looseObject({
  content: z.array(z.unknown()).nullish(),
  isError: z.boolean().nullish(),
});
export type McpResult = z.output<typeof mcpResultSchema>;

export async function toMcpReturn(
  { content, structuredContent, isError, ...others }: McpResult,
  context: Pick<ToolContext, 'artifacts' | 'sessionId'>,
): Promise<ToolReturn> {
  const shown: Shown[] = [];
  for (const block of content ?? []) shown.push(await show(block, context));
  // before 2025 a result could have any fields
  const { _meta, ...old } = others;
  const structured = structuredContent ?? (!content && Object.keys(old).length > 0 ? old : undefined);
  if (structured !== undefined && !isSaid(structured, shown))
    shown.push({ text: JSON.stringify(structured, undefined, 2) });
  const images = shown.flatMap(({ image }) => image ?? []);
  return defined({
    text: shown.flatMap(({ text }) => text || []).join('\n'),
    images: unlessEmpty(images),
    isError: isError === true || undefined,
  });
}

/** A server should send the same as text, and many send a summary. What is no object comes in one field, such as `result`. */
function isSaid(structured: unknown, shown: Shown[]): boolean {
  const texts = shown.map(({ text }) => parseJson(text) ?? text);
  const said = new Set([...texts, texts].map(canonicalJson));
  const fields = isRecord(structured) ? Object.values(structured) : [];
  return [structured, ...(fields.length === 1 ? fields : [])].some((value) => said.has(canonicalJson(value)));
}

async function show(given: unknown, context: Pick<ToolContext, 'artifacts' | 'sessionId'>): Promise<Shown> {
  const read = specTypeSchemas.ContentBlock['~standard'].validate(given);
  if (read.issues !== undefined)
    return { text: `[a part that is not known: ${cutText(JSON.stringify(given), 2_000)}]` };
  const block = read.value;
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'image':
      return showImage(block.data, block.mimeType, context);
    case 'audio':
      return { text: notShown('audio', block.mimeType, block.data) };
    case 'resource_link':
      return {
        text: `[A link to the resource ${toOneLine(block.uri, 500)} (${toOneLine(block.name, 100)}); it was not read.]`,
      };
    case 'resource': {
      const { uri, mimeType = '' } = block.resource;
      const heading = `[resource ${toOneLine(uri, 500)}]`;
      if ('text' in block.resource) return { text: `${heading}\n${block.resource.text}` };
      const { text, image } = await showImage(block.resource.blob, mimeType, context);
      return defined({ text: `${heading}\n${text}`, image });
    }
    default:
      // the SDK's schema lets no other type through
      return block satisfies never;
  }
}

/** Named by content, so that an equal image is stored once. */
async function showImage(
  data: string,
  mediaType: string,
  { artifacts, sessionId }: Pick<ToolContext, 'artifacts' | 'sessionId'>,
): Promise<Shown> {
  const bytes = Buffer.from(data, 'base64');
  if (!imageTypes.has(mediaType)) {
    // some servers send every file as bytes
    const isText = isUtf8(bytes) && !looksBinary(bytes);
    return { text: isText ? bytes.toString() : notShown('binary data', mediaType, data) };
  }
  const sha256 = sha256Hex(bytes);
  const artifactId = `image-${sha256.slice(0, 32)}`;
  try {
    await artifacts.put(sessionId, artifactId, bytes);
  } catch {
    return { text: notShown('an image that could not be stored', mediaType, data) };
  }
  const image: ImagePart = { type: 'image', artifactId, mediaType, sha256 };
  return { text: `[image ${artifactId}: ${mediaType}, ${bytes.byteLength} bytes]`, image };
}

function notShown(what: string, mediaType: string, data: string): string {
  const size = Math.floor((data.length * 3) / 4);
  return `[${what}, ${toOneLine(mediaType, 60) || 'of no type'}, about ${size} bytes: not shown]`;
}

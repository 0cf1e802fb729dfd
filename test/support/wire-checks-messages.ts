// The Messages API's rules (version 2026-10-21, and 2023-06-01 for a temperature).
import type { IncomingHttpHeaders } from 'node:http';
import { demand, filled, isObject, listOf, onlyKeys, toolName } from './wire-demand.ts';
import type { WireObject } from './wire-demand.ts';

const keys = [
  'model',
  'stream',
  'max_tokens',
  'thinking',
  'output_config',
  'cache_control',
  'tools',
  'tool_choice',
  'system',
  'messages',
];

export function messagesRefusal(body: WireObject, headers: IncomingHttpHeaders): void {
  const isOld = headers['anthropic-version'] === '2023-06-01';
  onlyKeys(body, isOld ? [...keys, 'temperature'] : keys);
  demand(filled(body['model']), 'model: Field required');
  demand(
    Number.isInteger(body['max_tokens']) && Number(body['max_tokens']) > 0,
    'max_tokens: Field required',
  );
  checkThinking(body);
  demand(markersIn(body) <= 4, 'A maximum of 4 blocks with cache_control may be provided.');
  for (const tool of listOf(body['tools'] ?? [], 'tools')) checkTool(tool);
  for (const block of listOf(body['system'] ?? [], 'system'))
    demand(filled(block['text']), 'system: text content blocks must be non-empty');
  checkMessages(listOf(body['messages'], 'messages'));
}

function checkThinking(body: WireObject): void {
  const thinking = body['thinking'];
  if (!isObject(thinking) || thinking['type'] !== 'enabled') return;
  const budget = Number(thinking['budget_tokens']);
  demand(budget >= 1024, 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  demand(budget < Number(body['max_tokens']), '`max_tokens` must be greater than `thinking.budget_tokens`');
}

function markersIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + markersIn(item), 0);
  if (!isObject(value)) return 0;
  const own = isObject(value['cache_control']) ? 1 : 0;
  return own + Object.values(value).reduce<number>((sum, item) => sum + markersIn(item), 0);
}

function checkTool(tool: WireObject): void {
  demand(toolName.test(String(tool['name'])), 'tools.name: String should match pattern');
  const schema = tool['input_schema'];
  demand(isObject(schema) && schema['type'] === 'object', 'tools.input_schema.type: Field required');
}

function checkMessages(messages: WireObject[]): void {
  demand(messages.length > 0, 'messages: at least one message is required');
  demand(messages[0]?.['role'] === 'user', 'messages: first message must use the "user" role');
  let open: string[] = [];
  const ids = new Set<string>();
  messages.forEach((message, index) => {
    const where = `messages.${index}`;
    const blocks = listOf(message['content'], `${where}.content`);
    demand(blocks.length > 0, `${where}: all messages must have non-empty content`);
    for (const block of blocks) checkBlock(block, where);
    if (message['role'] === 'user') checkResults(blocks, open, where);
    else
      demand(
        message['role'] === 'assistant' && open.length === 0,
        `${where}: tool_use ids without tool_result: ${open.join(', ')}`,
      );
    open = message['role'] === 'assistant' ? openCalls(blocks, ids, where) : [];
  });
  demand(
    open.length === 0,
    `tool_use ids were found without tool_result blocks immediately after: ${open.join(', ')}`,
  );
}

function checkBlock(block: WireObject, where: string): void {
  if (block['type'] === 'text')
    demand(filled(block['text']), `${where}: text content blocks must contain non-whitespace text`);
  if (block['type'] === 'thinking')
    demand(filled(block['signature']), `${where}.thinking.signature: Field required`);
  if (block['type'] === 'redacted_thinking')
    demand(filled(block['data']), `${where}.redacted_thinking.data: Field required`);
}

/** The results of a batch stand together, first in the very next message, and answer every call. */
function checkResults(blocks: WireObject[], open: string[], where: string): void {
  const results = blocks
    .filter((block) => block['type'] === 'tool_result')
    .map((block) => String(block['tool_use_id']));
  for (const id of results)
    demand(open.includes(id), `${where}: unexpected tool_use_id in tool_result blocks: ${id}`);
  const missing = open.filter((id) => !results.includes(id));
  demand(
    missing.length === 0,
    `${where}: tool_use ids were found without tool_result blocks immediately after: ${missing.join(', ')}`,
  );
  const isFirst = blocks.slice(0, results.length).every((block) => block['type'] === 'tool_result');
  demand(isFirst, `${where}: tool_result blocks must come first`);
  demand(new Set(results).size === results.length, `${where}: each tool_use must have a single result`);
}

function openCalls(blocks: WireObject[], ids: Set<string>, where: string): string[] {
  const calls = blocks.filter((block) => block['type'] === 'tool_use');
  return calls.map((call) => {
    const id = String(call['id']);
    demand(
      /^[a-zA-Z0-9_-]+$/.test(id) && id.length <= 64,
      `${where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
    );
    demand(!ids.has(id), `${where}: \`tool_use\` ids must be unique`);
    ids.add(id);
    demand(toolName.test(String(call['name'])), `${where}.tool_use.name: String should match pattern`);
    demand(isObject(call['input']), `${where}.tool_use.input: Input should be a valid dictionary`);
    return id;
  });
}

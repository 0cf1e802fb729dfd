// Chat Completions' rules: roles in order, every call answered directly, unique ids, nothing empty.
import { demand, filled, isJsonObject, isObject, listOf, onlyKeys, toolName } from './wire-demand.ts';
import type { WireObject } from './wire-demand.ts';

const keys = [
  'model',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'reasoning_effort',
  'temperature',
  'response_format',
  'tools',
  'tool_choice',
  'messages',
];

export function chatRefusal(body: WireObject): void {
  onlyKeys(body, keys);
  demand(filled(body['model']), 'you must provide a model parameter');
  for (const tool of listOf(body['tools'] ?? [], 'tools')) checkTool(tool);
  demand(
    body['tool_choice'] === undefined || body['tools'] !== undefined,
    'tool_choice is only allowed with tools',
  );
  const messages = listOf(body['messages'], 'messages');
  demand(messages.length > 0, 'messages: expected an array with minimum length 1');
  let open: string[] = [];
  const ids = new Set<string>();
  messages.forEach((message, index) => {
    const where = `messages[${index}]`;
    if (message['role'] === 'tool') {
      open = withoutAnswered(open, message, where);
      return;
    }
    demand(
      open.length === 0,
      `An assistant message with 'tool_calls' must be followed by tool messages: ${open.join(', ')}`,
    );
    if (message['role'] === 'assistant') open = openCalls(message, where, ids);
    else checkText(message, where, index);
  });
  demand(open.length === 0, `tool_call_ids did not have response messages: ${open.join(', ')}`);
}

function checkTool(tool: WireObject): void {
  const declared = tool['function'];
  demand(isObject(declared) && toolName.test(String(declared['name'])), 'tools[].function.name is invalid');
  demand(isObject(declared['parameters']), 'tools[].function.parameters: expected an object');
}

function withoutAnswered(open: string[], message: WireObject, where: string): string[] {
  const id = String(message['tool_call_id']);
  demand(
    open.includes(id),
    `${where}: messages with role 'tool' must be a response to a preceding message with 'tool_calls'`,
  );
  demand(
    typeof message['content'] === 'string' && message['content'] !== '',
    `${where}.content: expected text`,
  );
  return open.filter((other) => other !== id);
}

function openCalls(message: WireObject, where: string, ids: Set<string>): string[] {
  const calls = listOf(message['tool_calls'] ?? [], `${where}.tool_calls`);
  demand(
    message['tool_calls'] === undefined || calls.length > 0,
    `${where}.tool_calls: expected minimum length 1`,
  );
  demand(calls.length > 0 || filled(message['content']), `${where}: expected content or tool_calls`);
  return calls.map((call) => {
    const id = call['id'];
    demand(filled(id) && id.length <= 40, `${where}.tool_calls[].id: expected maximum length 40`);
    demand(!ids.has(id), `${where}.tool_calls[].id: ${id} is not unique`);
    ids.add(id);
    demand(
      isObject(call['function']) &&
        toolName.test(String(call['function']['name'])) &&
        isJsonObject(call['function']['arguments']),
      `${where}: bad function`,
    );
    return id;
  });
}

function checkText(message: WireObject, where: string, index: number): void {
  const { role, content } = message;
  demand(
    role === 'user' || (role === 'system' && index === 0),
    `${where}.role: '${String(role)}' does not belong here`,
  );
  if (Array.isArray(content)) demand(content.length > 0, `${where}.content: expected minimum length 1`);
  else demand(filled(content), `${where}.content: expected text`);
}

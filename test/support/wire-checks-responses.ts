// The Responses API's rules for stateless use: paired calls and outputs, reasoning followed by what it led to.
import { demand, filled, isJsonObject, listOf, toolName } from './wire-demand.ts';
import type { WireObject } from './wire-demand.ts';

export function responsesRefusal(body: WireObject): void {
  demand(filled(body['model']), 'Missing required parameter: model');
  demand(body['store'] === false, 'this server keeps nothing: expected store false');
  for (const tool of listOf(body['tools'] ?? [], 'tools')) {
    demand(tool['type'] === 'function' && toolName.test(String(tool['name'])), "Invalid 'tools[].name'");
  }
  const input = listOf(body['input'], 'input');
  demand(input.length > 0, 'input: expected minimum length 1');
  const open = new Set<string>();
  const ids = new Set<string>();
  input.forEach((item, index) => checkItem(item, input[index + 1], open, ids));
  demand(open.size === 0, `No tool output found for function call ${[...open].join(', ')}.`);
}

function checkItem(
  item: WireObject,
  next: WireObject | undefined,
  open: Set<string>,
  ids: Set<string>,
): void {
  const callId = String(item['call_id']);
  switch (item['type']) {
    case 'function_call':
      demand(callId.length <= 64 && !ids.has(callId), `Duplicate or too long call_id ${callId}`);
      demand(toolName.test(String(item['name'])), "Invalid 'input[].name': string does not match pattern");
      demand(isJsonObject(item['arguments']), 'function_call.arguments: expected a JSON object');
      ids.add(callId);
      open.add(callId);
      return;
    case 'function_call_output':
      demand(open.delete(callId), `No tool call found for function call output with call_id ${callId}.`);
      return;
    case 'reasoning':
      demand(filled(item['encrypted_content']), `Item with id '${String(item['id'])}' not found.`);
      demand(
        next !== undefined && (next['type'] !== 'message' || next['role'] === 'assistant'),
        "Item of type 'reasoning' was provided without its required following item.",
      );
      return;
    default: {
      demand(
        open.size === 0 || item['role'] === 'assistant',
        `No tool output found for function call ${[...open].join(', ')}.`,
      );
      checkContent(item['content']);
    }
  }
}

function checkContent(content: unknown): void {
  if (typeof content === 'string') {
    demand(filled(content), 'input[].content: expected text');
    return;
  }
  const parts = listOf(content, 'input[].content');
  demand(parts.length > 0, 'input[].content: expected minimum length 1');
  for (const part of parts) {
    demand(part['text'] === undefined || filled(part['text']), 'input[].content[].text: expected text');
  }
}

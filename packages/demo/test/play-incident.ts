// Plays the incident's script against its real tools, without Temporal: the loop in a few lines, for tests of the
// script itself. Approvals and lost workers are put in the place of a tool's result.
import { setTimeout as sleep } from 'node:timers/promises';
import { checkoutScriptPath } from '../src/checkout/config.ts';
import type { Incident } from '../src/checkout/incident.ts';
import { createRollbackConfig } from '../src/checkout/rollback-config.ts';
import { createGrepTool } from '../../../src/activities/built-in/files/grep.ts';
import { createHttpGetTool } from '../../../src/activities/built-in/http/http-tools.ts';
import { createReadTool } from '../../../src/activities/built-in/files/read.ts';
import type { RegisteredTool } from '../../../src/activities/tools/define-tool.ts';
import { textOf, userMessage, type Message, type ToolCallPart } from '@holdfast/vocabulary/messages';
import { playScript } from '@holdfast/scripted-model/script-player';
import { createReportTool } from '../../../src/activities/built-in/report/report.ts';
import { reportInput, type ReportInput } from '../../../src/activities/built-in/report/report-input.ts';
import { reply as saidInReply } from '../../../test/support/memory-model.ts';
import { toolResult } from '../../../test/support/recorded-histories.ts';
import { stopCustomers } from './start-incident.ts';
import { toolContext } from './tool-context.ts';
import { loadModelScript } from '@holdfast/scripted-model/load-model-script';

export type Played = {
  /** Ids of the script's steps, in order. */
  steps: string[];
  answer: string;
  /** Arguments of the report, as the tool would get them. */
  report: ReportInput;
  /** Full result of every call. */
  results: Map<string, string>;
  rollbackCalls: number;
  messages: Message[];
};

export type PlayOptions = {
  /** Fates of a rollback: run, refused before it ran, or run and lost. */
  rollback: 'run' | 'denied' | 'lost';
  /** The customers leave while this step's calls run. */
  noLoadFrom?: string;
  /** A message that arrives while this step's calls run. */
  steer?: { during: string; text: string };
};

const longestTurns = 25;

export async function playIncident(incident: Incident, options: PlayOptions): Promise<Played> {
  const script = await loadModelScript(checkoutScriptPath);
  const tools = toolsOf(incident);
  const played = { steps: [] as string[], results: new Map<string, string>(), rollbackCalls: 0 };
  const messages: Message[] = [userMessage(incident.prompt)];
  let report: ReportInput | undefined;
  for (let turn = 1; turn <= longestTurns; turn++) {
    const definitions = [...tools.values()].map(({ spec }) => spec).concat(createReportTool().spec);
    const reply = playScript(script, { messages, systemPrompt: '', tools: definitions, toolChoice: 'auto' });
    await sleep(reply.step?.delayMs ?? 0);
    played.steps.push(reply.step?.id ?? 'end');
    const { content, stopReason } = reply;
    messages.push(saidInReply(content, { stopReason }));
    const calls = content.filter((part): part is ToolCallPart => part.type === 'tool_call');
    if (calls.length === 0) {
      const answer = textOf(messages.at(-1) ?? userMessage(''));
      if (report === undefined) throw new Error(`No report before the answer: ${answer}`);
      return { ...played, answer, report, messages };
    }
    for (const { callId, name, arguments: json } of calls) {
      const args: unknown = JSON.parse(json);
      if (name === 'report') report = reportInput.parse(args);
      const result = name === 'report' ? { text: 'taken' } : await run(tools, name, json, callId, options);
      if (name === 'rollback_config') played.rollbackCalls += 1;
      played.results.set(callId, result.text);
      const isError = 'isError' in result && result.isError === true;
      messages.push(toolResult(callId, result.text, name, isError));
    }
    if (options.noLoadFrom === reply.step?.id) await stopCustomers(incident);
    if (options.steer?.during === reply.step?.id)
      messages.push(userMessage(options.steer?.text ?? '', 'steer'));
  }
  throw new Error(`The script did not end within ${longestTurns} turns: ${played.steps.join(', ')}`);
}

async function run(
  tools: Map<string, RegisteredTool>,
  name: string,
  json: string,
  callId: string,
  { rollback }: PlayOptions,
): Promise<{ text: string; isError?: boolean }> {
  const isRollback = name === 'rollback_config';
  if (isRollback && rollback === 'denied')
    return { text: 'Denied by demo: nobody was there.', isError: true };
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`The script calls ${name}, which the incident does not have.`);
  const result = await tool.run(JSON.parse(json), toolContext(callId));
  if (isRollback && rollback === 'lost')
    return { text: 'Outcome unknown: the worker was lost.', isError: true };
  return result;
}

function toolsOf(incident: Incident): Map<string, RegisteredTool> {
  const roots = [incident.place.systemDir];
  const tools = [
    createReadTool({ roots }),
    createGrepTool({ roots }),
    createHttpGetTool({ allow: incident.allowHosts }),
    createRollbackConfig(incident.place),
  ];
  return new Map(tools.map((tool) => [tool.spec.name, tool]));
}

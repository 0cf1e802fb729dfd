// A critic's pass over the first report of a run (`delegation.verify`): a delegation like any other, whose objections become part
// of that call's result, once. The next report is final; so is this one if no critic can run.
import { isRecord } from '@holdfast/base/json';
import { neutraliseClosing } from '../agent/prompt/untrusted.ts';
import { messageOf } from '@holdfast/base/message-of';
import { cutText } from '@holdfast/base/cut-text';
import type { BatchCall, ToolAnswer } from '@holdfast/vocabulary/agent-state';
import type { TaskResult } from '@holdfast/vocabulary/children';
import { textOf } from '@holdfast/vocabulary/messages';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import type { Session } from '../session/session.ts';
import { type Effects, valueOf } from './effects.ts';
import { runTasks } from './run-tasks.ts';

/** Only in the top session: a child's findings are checked with the report that uses them. */
export function needsCritic(
  { state, settings, input, stop }: Session,
  { message, report }: ToolAnswer,
): boolean {
  const { verify = false } = settings.delegation;
  const isFirst = state.run?.report === undefined;
  return verify !== false && input.parent === undefined && !!report && !message.isError && isFirst && !stop;
}

/** The answer of the report's call, with the critic's verdict. */
export async function criticise(
  session: Session,
  effects: Effects,
  { call: { callId } }: BatchCall,
  answer: ToolAnswer,
): Promise<ToolAnswer> {
  const { critic } = session.state.context ?? {};
  const { report } = answer;
  if (!report) return answer;
  if (!critic) return unchecked(session, answer, 'there is no agent for it');
  try {
    const task = { agent: critic.name, task: criticTask, context: await contextOf(session, effects, report) };
    const [result] = await runTasks({ callId, session, effects }, [task], { agents: [critic], aids: false });
    if (session.stop === 'abort') return answer;
    // the run continues, and its next report is not its first
    if (session.stop) return unchecked(session, answer, 'a message interrupted it');
    return withVerdict(session, callId, answer, result ?? { agent: critic.name });
  } catch (error) {
    return unchecked(session, answer, messageOf(error));
  }
}

const criticTask = `Check the report in the delegation context before it is handed in: it answers the task that is named there. \
For each claim ask whether its quotes show it, or only something near it; whether the order of events allows the cause; \
which other explanation fits the evidence as well and was not ruled out; and what the grade promises that the evidence does \
not. Look for yourself with your tools where you can. Then call task_complete: status completed where the report is right, \
status failed where it is not, with every objection in the summary, each with the claim that it is about and what would \
settle it. Object only where the conclusion could be wrong; wording is no objection.`;

const taskCharacters = 1_500;

async function contextOf(session: Session, effects: Effects, { artifactId }: ReportRef): Promise<string> {
  const described = valueOf(await effects.call('describeReport', { sessionId: session.key, artifactId }));
  const task = cutText(session.state.run?.task ?? session.state.task, taskCharacters);
  return `# The task\n\n${task}\n\n${described}`;
}

function withVerdict(
  session: Session,
  callId: string,
  answer: ToolAnswer,
  { agent, completion, error, result }: TaskResult,
): ToolAnswer {
  const child = session.state.children?.findLast((each) => each.agent === agent && each.callId === callId);
  // a critic that reached its limit has judged nothing, although its completion is "failed"
  const judged = error === undefined && child?.status === 'completed' ? completion : undefined;
  if (!judged) return unchecked(session, answer, error ?? completion?.caveats ?? 'it gave no verdict');
  const said = neutraliseClosing(result ?? '', 'objections');
  return judged.status === 'completed'
    ? added(answer, `${agent} has checked the report and has no objection.`)
    : sentBack(added(answer, objected(agent, said, judged.caveats)));
}

/** The next report counts whatever it proves: it answers the objections. */
function sentBack({ reportIsFinal: _, message, ...rest }: ToolAnswer): ToolAnswer {
  const { details } = message;
  return {
    ...rest,
    message: { ...message, details: { ...(isRecord(details) ? details : {}), objected: true } },
  };
}

function objected(agent: string, said: string, caveats = ''): string {
  const words = [said, neutraliseClosing(caveats, 'objections')].filter((text) => text !== '').join('\n\n');
  return [
    `Not final yet: ${agent} has checked the report and objects.`,
    `<objections>\n${words}\n</objections>`,
    'Look into each objection with your tools: it may be wrong. Then call report once more with everything in it. That report is final.',
  ].join('\n');
}

function unchecked(session: Session, answer: ToolAnswer, why: string): ToolAnswer {
  session.warn('Verify.NotChecked', `The report was not checked by a critic: ${cutText(why, 500)}`);
  return answer;
}

/** The text has changed, so the digest no longer matches. */
function added({ digest: _, message, ...rest }: ToolAnswer, text: string): ToolAnswer {
  const content = [{ type: 'text' as const, text: `${textOf(message)}\n\n${text}` }];
  return { ...rest, message: { ...message, content } };
}

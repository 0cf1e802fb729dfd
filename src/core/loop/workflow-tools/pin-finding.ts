// pin_finding: keeps one finding in the session's state, where no condense can lose it.
import { findingBytesLeft, noFinding, standingFindings, takeBack } from '../../model/agent-state.ts';
import { type Json, isRecord } from '../../base/json.ts';
import { findingsBytes, utf8Bytes } from '../../base/sizes.ts';
import type { WorkflowTool } from '../effects.ts';

export const pinFinding: WorkflowTool = {
  name: 'pin_finding',
  run(args, { callId, session }) {
    const text = textOf(args, 'text');
    const replaces = textOf(args, 'replaces');
    if (text === '')
      return { text: 'Nothing was pinned: expected {text} with the finding in it.', isError: true };
    const { findings = [] } = session.state;
    const standing = standingFindings(session.state);
    if (replaces !== '' && !standing.some(({ id }) => id === replaces))
      return { text: `Nothing was pinned: ${noFinding(replaces, standing)}`, isError: true };
    const same = standing.find((finding) => finding.text === text && finding.id !== replaces);
    const { id } = same ?? { id: `finding-${findings.length + 1}` };
    const [size, left] = [same ? 0 : utf8Bytes(text), findingBytesLeft(takeBack(findings, replaces, id))];
    if (size > left) return { text: tooMuch(size, left), isError: true };
    if (!same) session.record({ type: 'finding_pinned', finding: { id, text, callId } });
    if (replaces !== '') session.record({ type: 'finding_taken_back', id: replaces, by: id });
    const back = replaces === '' ? '' : ` ${replaces} is taken back.`;
    return {
      text: same
        ? `This is pinned already, as ${id}.${back}`
        : `Pinned as ${id}.${back} ${left - size} of ${findingsBytes} bytes are left for findings.`,
    };
  },
};

function textOf(args: Json, name: string): string {
  const text = isRecord(args) ? args[name] : undefined;
  return typeof text === 'string' ? text.trim() : '';
}

function tooMuch(size: number, left: number): string {
  return `Nothing was pinned: pinned findings hold ${findingsBytes} bytes in all, ${left} are left, and this one has ${size}. Say it in fewer words.`;
}

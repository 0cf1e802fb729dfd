// pin_finding: keeps one finding in the session's state, where no condense can lose it.
import { findingBytesLeft } from '../../model/agent-state.ts';
import { type Json, isRecord } from '../../base/json.ts';
import { findingsBytes, utf8Bytes } from '../../base/sizes.ts';
import type { WorkflowTool } from '../effects.ts';

export const pinFinding: WorkflowTool = {
  name: 'pin_finding',
  run(args, { callId, session }) {
    const text = textOf(args);
    if (text === '')
      return { text: 'Nothing was pinned: expected {text} with the finding in it.', isError: true };
    const { findings = [] } = session.state;
    const same = findings.find((finding) => finding.text === text);
    if (same) return { text: `This is pinned already, as ${same.id}.` };
    const [size, left] = [utf8Bytes(text), findingBytesLeft(findings)];
    if (size > left) return { text: tooMuch(size, left), isError: true };
    const finding = { id: `finding-${findings.length + 1}`, text, callId };
    session.record({ type: 'finding_pinned', finding });
    return {
      text: `Pinned as ${finding.id}. ${left - size} of ${findingsBytes} bytes are left for findings.`,
    };
  },
};

function textOf(args: Json): string {
  return isRecord(args) && typeof args.text === 'string' ? args.text.trim() : '';
}

function tooMuch(size: number, left: number): string {
  return `Nothing was pinned: pinned findings hold ${findingsBytes} bytes in all, ${left} are left, and this one has ${size}. Say it in fewer words.`;
}

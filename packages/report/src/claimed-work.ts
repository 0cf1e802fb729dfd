// Words that claim a change: "I restarted it", "has been rolled back". Each kind of work has the signs of a call that
// does it. Pure.

/** Past forms, and what the call of such work has in its name or arguments; an empty sign: any change. */
const kinds: readonly (readonly [forms: string, signs: string])[] = [
  ['restarted|rebooted|bounced|reloaded|recycled', 're-?start|reboot|bounce|re-?load|recycle'],
  ['rolled back|rolled (?:it|this|them) back|reverted|undone|undid', 'roll[-_ ]?(?:back|out)|revert|undo'],
  ['scaled', 'scale|replica'],
  [
    'deleted|removed|dropped|purged|cleared|flushed|emptied|truncated|cleaned',
    String.raw`delete|remove|drop|purge|clear|flush|empty|truncate|clean|\brm\b`,
  ],
  [
    'stopped|killed|terminated|shut down|disabled|turned off|paused',
    'stop|kill|terminate|shut|disable|off|pause',
  ],
  ['started|enabled|turned on|launched|resumed', String.raw`start|enable|launch|\brun\b|\bon\b|resume`],
  [
    'increased|raised|decreased|lowered|reduced|changed|updated|adjusted|edited|patched|configured|resized|extended|expanded|set',
    'set|update|change|edit|patch|write|apply|config|size|raise|lower|increase|reduce|alter|extend|expand|limit',
  ],
  ['deployed|redeployed|released|installed|upgraded', 'deploy|release|install|upgrade|apply'],
  [
    'drained|cordoned|evicted|failed over|promoted|migrated',
    'drain|cordon|evict|fail[-_ ]?over|promote|migrat',
  ],
  [
    'notified|paged|informed|emailed|messaged|escalated',
    'notif|page|alert|mail|send|message|post|escalat|slack',
  ],
  ['fixed|repaired|mitigated|remediated|resolved|applied', ''],
];

const adverbs = '(?:(?:also|already|then|now|just|since|successfully|manually|safely|again|first|finally) )*';
/** Work on the agent's own records, and words that only look like work. */
const noWork =
  /^\s*(?:the |my |this |a |an )?(?:report|plan|findings?|notes?|hypothes[ie]s|summary|timeline|(?:with|by|from|at|out|looking|here|after|because|when) )/i;
const noSubject = String.raw`\b(?:that|which|who|how|when|if|why|not|never|would|could|should)\b`;

function patternsOf(forms: string): RegExp[] {
  return [
    String.raw`\b(?:I|we)(?:['’]ve| have| had)? ${adverbs}(?:${forms})\b`,
    String.raw`\b(?:I|we)\b(?:(?!${noSubject})[^.]){0,80}\b(?:and|then) ${adverbs}(?:${forms})\b`,
    String.raw`\b(?:has|have) ${adverbs}been ${adverbs}(?:${forms})\b`,
    String.raw`\b(?:is|are|was|were) now (?:${forms})\b`,
    // these are also what one is told to do
    String.raw`^(?!set\b|shut down\b)(?:${forms})\b`,
  ].map((pattern) => new RegExp(pattern, 'i'));
}

const works = kinds.map(([forms, signs]) => ({
  patterns: patternsOf(forms),
  signs: signs === '' ? /./ : new RegExp(signs, 'i'),
}));

/** True if the sentence claims a change that none of the calls, in their words, has made. */
export function claimsWork(sentence: string, made: readonly string[]): boolean {
  return works.some(({ patterns, signs }) => {
    const isClaimed = patterns.some((pattern) => {
      const found = pattern.exec(sentence);
      return found !== null && !noWork.test(sentence.slice(found.index + found[0].length));
    });
    return isClaimed && !made.some((call) => signs.test(call));
  });
}

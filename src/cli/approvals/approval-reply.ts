// What a person typed at the question of an approval. Pure. Only words that can mean nothing else decide.

export type ApprovalReply =
  | { type: 'yes' }
  | { type: 'no'; reason?: string }
  | { type: 'details' }
  | { type: 'later' }
  | { type: 'unclear' };

export function parseReply(text: string): ApprovalReply {
  const words = text.trim();
  if (/^y(es)?$/i.test(words)) return { type: 'yes' };
  if (/^no?$/i.test(words)) return { type: 'no' };
  if (/^(d|details|\?)$/i.test(words)) return { type: 'details' };
  if (/^l(ater)?$/i.test(words)) return { type: 'later' };
  // "no problem" and "no, go ahead" are no denials
  const reason = /^no?(?:,?\s+because|:)\s+(\S.*)$/i.exec(words)?.[1];
  return reason === undefined ? { type: 'unclear' } : { type: 'no', reason };
}

// Readers of the client `mysql` with --batch: a line of names, then a line a row, with tabs. Pure.
import { cutText } from '@holdfast/base/cut-text';
import { answer, type Reader } from '@holdfast/sources/source-answer';

function linesOf(came: string): string[] {
  return came.split('\n').filter((line) => line.trim() !== '');
}

/** Their counts are a row of three figures, which is no session. */
export const sessions: Reader = (came) =>
  answer(linesOf(came), { came: linesOf(came).filter((line) => /^\d+\t(?:[^\t]*\t){3}/.test(line)).length });

/** Of a replica the fields that tell its state. */
const replica =
  /^\*|_Running|Running_State|Seconds_Behind|(?:Errno|Error): ..*|_Host:|SQL_Delay|Using_Gtid|Connection_name|_Log_File:|_Log_Pos:|^ *(?:server_id|read_only|id|user|host|seconds|state|note):/;

const unseen =
  'no table is shown: the server leaves out, without a word, those that the user has no right to';

/** Statements and tables are lists; the others are figures. */
export const figures: Reader = (came, { what }) => {
  const all = linesOf(came).filter((line) => what !== 'replication' || replica.test(line));
  const isOff = all[0] === 'note';
  const rows = all.slice(isOff ? 2 : 0);
  const isList = what === 'statements' || what === 'tables';
  const isBare = what === 'tables' && rows.length === 0;
  return answer(rows, { came: isList ? rows.length - 1 : 0, gaps: [isOff && all[1], isBare && unseen] });
};

/** Of a query. Long rows are cut. */
export const rows: Reader = (came, { limit }) => {
  const all = linesOf(came);
  const shown = all
    .slice(0, Number(limit) + 1)
    .map((line) => cutText(line.split('\t').map(cellOf).join('\t'), 1_000));
  return answer(shown, { came: shown.length - 1, total: all.length - 1 });
};

/** Bytes come as hex. More than a number has may be text; MariaDB's client has one word for NULL and none. */
function cellOf(cell: string): string {
  if (cell === '0x') return '0x (empty or NULL)';
  const said = Buffer.from(/^0x([\dA-F]{18,})$/.exec(cell)?.[1] ?? '', 'hex').toString();
  return /^(?:[^\p{Cc}\ufffd]|[\t\n\r])+$/u.test(said) ? JSON.stringify(said) : cell;
}

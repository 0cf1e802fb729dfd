// Escapes characters that are invisible, that reorder others, or that pass for another, e.g. as \u{202E}. Every place
// that shows a text to people uses these functions. Pure.

/**
 * For arguments, commands and diffs: escapes every character that a reader could miss or mistake. Line ends, tabs and
 * emoji stay.
 */
export function toVisible(text: string): string {
  return escapeUnseen(text, escapeCharacter);
}

/** Like `toVisible`, with the caller's own notation for escapes. */
export function escapeUnseen(text: string, escape: (character: string) => string): string {
  return escapeHomoglyphs(text, escape).replaceAll(notPlain, (run) =>
    run.replaceAll(unseen, (found) => (isEmoji(found) ? found : escape(found))),
  );
}

/**
 * For prose and outputs: escapes only what hides text, steers a terminal or reorders text. Typographic blanks, joiners
 * and emoji variants stay, because many languages write with them.
 */
export function toReadable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(misleading, escapeCharacter);
}

/** Puts a text on one line; its line ends become visible marks. */
export function toVisibleLine(text: string): string {
  return toVisible(text.trim().replaceAll(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ⏎ ' : blanks)));
}

/** Begins each line of a readable text that has words with a mark, so that none passes for a line of the program. */
export function markLines(text: string, mark = '  │ '): string {
  return text.replaceAll(/^(?=.)/gm, mark);
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

// Runs of characters beyond visible ASCII, with a digit or sign before them that may be part of an emoji. Narrows the
// search: a search for emoji takes a second for a million characters, and most texts have few of these runs.
const notPlain = /[#*0-9]?[^\n\t -~]+/g;
// Control, format, private, unassigned and ignorable characters, all blanks but the plain one, and one drawn as a
// blank.
const unseen = /\p{RGI_Emoji}|[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[\n\t ]]/gv;
const misleading =
  /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[[\ufe00-\ufe0f][\u200c\n\t\u200d]]]/gv;

function isEmoji(found: string): boolean {
  return /^\p{RGI_Emoji}$/v.test(found);
}

// Letters of other alphabets that look like ASCII (Unicode UTS #39), and signs that look like a slash.
const lookAlike =
  /[асԁеһіјӏорԛѕԝхуүѵАВСЕԌНІЈКМОРԚЅТѴԜХУҮЗαονριυϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿօոսցհզՏԼՍՕɑɡǀᎠ-ᏴⲀ-ⲳꓐ-ꓷ\u{1d400}-\u{1d7ff}\uff10-\uff19\uff21-\uff3a\uff41-\uff5aⅠ-ⅿℎℓℯℊℴ]/gu;
const slash = /[∕⁄⧸\uff0f]/gu;
const lookAlikes = new RegExp(`${lookAlike.source}|${slash.source}`, 'u');
const word = /[^\s"'`,;(){}[\]<>|&=]+/g;

/**
 * Escapes look-alikes in a word with ASCII letters: runs that mix both, and runs that could be taken for ASCII as a
 * whole.
 */
function escapeHomoglyphs(text: string, escape: (character: string) => string): string {
  if (!lookAlikes.test(text)) return text;
  return text.replaceAll(word, (found) => {
    if (!/[A-Za-z]/.test(found)) return found;
    return found
      .replaceAll(slash, escape)
      .replaceAll(/[\p{L}\p{N}\p{M}]+/gu, (run) =>
        /[A-Za-z]/.test(run) || run.replaceAll(lookAlike, '') === ''
          ? run.replaceAll(lookAlike, escape)
          : run,
      );
  });
}

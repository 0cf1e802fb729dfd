// What does not show, turns the order of others, or passes for another character, written as an escape such as \u{202E}.
// Every place that shows a text to people takes its characters from here. Pure.

/** Arguments, commands, diffs: every character that a reader could miss or mistake. Line ends, tabs and emoji stay. */
export function toVisible(text: string): string {
  return escapeUnseen(text, escapeCharacter);
}

/** As `toVisible`, with the escape of the caller's own notation. */
export function escapeUnseen(text: string, escape: (character: string) => string): string {
  return escapeHomoglyphs(text, escape).replaceAll(notPlain, (run) =>
    run.replaceAll(unseen, (found) => (isEmoji(found) ? found : escape(found))),
  );
}

/**
 * Prose and outputs: only what hides, steers a terminal or turns the order of text. Typographic blanks, joiners and the
 * variants of emoji belong to the writing of many languages, and stay.
 */
export function toReadable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(misleading, escapeCharacter);
}

/** A text that is shown on one line: where it had line ends, they show. */
export function toVisibleLine(text: string): string {
  return toVisible(text.trim().replaceAll(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ⏎ ' : blanks)));
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

// What is not ASCII that shows, with a digit or sign before it that may be part of an emoji. A search for emoji takes a second
// for each million characters, and most texts have few of these.
const notPlain = /[#*0-9]?[^\n\t -~]+/g;
// Control, format, private, unassigned and ignorable characters, blanks other than the blank, and one that is drawn as a blank.
const unseen = /\p{RGI_Emoji}|[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[\n\t ]]/gv;
const misleading =
  /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[[\ufe00-\ufe0f][\u200c\n\t\u200d]]]/gv;

function isEmoji(found: string): boolean {
  return /^\p{RGI_Emoji}$/v.test(found);
}

// Letters of other alphabets that are drawn as those of ASCII (Unicode UTS #39), and signs that are drawn as a slash.
const lookAlike =
  /[асԁеһіјӏорԛѕԝхуүѵАВСЕԌНІЈКМОРԚЅТѴԜХУҮЗαονριυϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿօոսցհզՏԼՍՕɑɡǀᎠ-ᏴⲀ-ⲳꓐ-ꓷ\u{1d400}-\u{1d7ff}\uff10-\uff19\uff21-\uff3a\uff41-\uff5aⅠ-ⅿℎℓℯℊℴ]/gu;
const slash = /[∕⁄⧸\uff0f]/gu;
const lookAlikes = new RegExp(`${lookAlike.source}|${slash.source}`, 'u');
const word = /[^\s"'`,;(){}[\]<>|&=]+/g;

/** In a word with letters of ASCII: a run of letters that mixes both, and one that could be taken for ASCII as a whole. */
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

// The skills in folders of the configuration, as they are on the disk now. Runs in Node. An unusable skill becomes a
// warning with its file, and affects nothing else.
import { succeeds } from '@holdfast/base/succeeds';
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cutText } from '@holdfast/base/cut-text';
import { messageOf } from '@holdfast/base/message-of';
import { sha256Hex } from '@holdfast/stored/sha256';
import { sanitiseText } from '@holdfast/redaction/sanitise';
import { filesUnder, shownPath } from './files-under.ts';
import { parseSkill, type ParsedSkill } from './parse-skill.ts';

export type Skill = Omit<ParsedSkill, 'body'> & {
  /** Real path of its folder. */
  folder: string;
  /** The folder for people. */
  source: string;
  /** For the model: the body, and a list of the other files in the folder. */
  text: string;
  sha256: string;
};

/** Sorted by name. */
export type Shelf = { skills: Skill[]; warnings: string[] };

export const emptyShelf: Shelf = { skills: [], warnings: [] };

export type SkillShelf = { read(): Promise<Shelf> };

export type SkillShelfOptions = {
  /** Absolute: folders of skill folders, or skill folders. Of two skills with one name the first is used. */
  folders: readonly string[];
  /** The folder to which shown folders are relative. */
  base: string;
  redact(text: string): string;
};

const fileName = 'SKILL.md';
/** Two of them fit into one payload of the workflow. */
const maxSkillBytes = 64 * 1024;
const shownFiles = 100;

export function createSkillShelf(options: SkillShelfOptions): SkillShelf {
  return {
    async read() {
      const found = await Promise.all(options.folders.map((folder) => readFolder(folder, options)));
      const warnings = found.flatMap((shelf) => shelf.warnings);
      const skills = new Map<string, Skill>();
      for (const skill of found.flatMap((shelf) => shelf.skills)) {
        const first = skills.get(skill.name);
        if (!first) skills.set(skill.name, skill);
        else if (first.folder !== skill.folder)
          warnings.push(
            `Skill ${skill.name} of ${skill.source} is not used: ${first.source} comes first and has one of that name.`,
          );
      }
      return {
        skills: [...skills.values()].sort((left, right) => (left.name < right.name ? -1 : 1)),
        warnings,
      };
    },
  };
}

async function readFolder(folder: string, options: SkillShelfOptions): Promise<Shelf> {
  try {
    const found = await Promise.all((await foldersOf(folder)).map((each) => readSkill(each, options)));
    return {
      skills: found.flatMap((each) => (typeof each === 'string' ? [] : [each])),
      warnings: found.filter((each) => typeof each === 'string'),
    };
  } catch (error) {
    const shown = shownPath(folder, options.base);
    return { skills: [], warnings: [`No skills from ${shown}: ${messageOf(error)}.`] };
  }
}

/** Sorted, so that the first of two skills with one name is the same everywhere. */
async function foldersOf(folder: string): Promise<string[]> {
  if (await succeeds(lstat(join(folder, fileName)))) return [folder];
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  const places = names.map((name) => join(folder, name));
  // a dangling link counts: it is a skill that cannot be read
  const are = await Promise.all(places.map((place) => succeeds(lstat(join(place, fileName)))));
  return places.filter((_, index) => are[index]);
}

async function readSkill(place: string, options: SkillShelfOptions): Promise<Skill | string> {
  const file = join(place, fileName);
  const skipped = (reason: string): string => `Skill skipped: ${shownPath(file, options.base)} ${reason}.`;
  try {
    const folder = await realpath(place);
    const state = await stat(file);
    // reading a pipe would never end
    if (!state.isFile()) return skipped('is no file');
    if (state.size > maxSkillBytes)
      return skipped(
        `has ${state.size} bytes: expected at most ${maxSkillBytes}; move parts of it into files beside it`,
      );
    const parsed = parseSkill(options.redact(sanitiseText(await readFile(file, 'utf8'))));
    if (!parsed.ok) return skipped(parsed.reason);
    const { body, ...fields } = parsed.value;
    const text = [body, await listFiles(folder)].filter(Boolean).join('\n\n');
    return { ...fields, folder, source: shownPath(place, options.base), text, sha256: sha256Hex(text) };
  } catch (error) {
    return skipped(`cannot be read: ${cutText(messageOf(error), 200)}`);
  }
}

async function listFiles(folder: string): Promise<string> {
  const all = await filesUnder(folder, shownFiles + 1);
  const files = all.filter((file) => file !== fileName);
  if (files.length === 0) return '';
  const more = files.length > shownFiles ? '\n- and more' : '';
  const shown = files.slice(0, shownFiles).map((file) => `- ${file}`);
  return (
    'Files of this skill. read_skill_file reads them; a script runs only as a command of bash, if you have bash, and is judged like ' +
    `any other command.\n${shown.join('\n')}${more}`
  );
}

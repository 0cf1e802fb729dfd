// Walks a parsed script and collects what it does: every simple command wherever it is nested, redirections, assignments,
// and what the shell itself can be made to run by arithmetic, subscripts and indirect names.
import {
  forEachChild,
  type ArithmeticExpression,
  type Assignment,
  type Command,
  type ParsedScript,
  type Script,
  type SyntaxNode,
  type Word,
} from 'unbash';
import type { ShellAction } from './shell-action.ts';
import { judgeArgv } from './judge-argv.ts';
import { toArgument, type Argument } from './parse/argument.ts';
import { arithmeticReason, namesWithText, numberReason } from './parse/arithmetic.ts';
import { Folders, hasMoved } from './parse/folders.ts';
import { HeldTexts } from './parse/held.ts';
import { childHasInput, execHasInput, redirectedInput } from './parse/input.ts';
import { literalValue } from './parse/literal.ts';
import { Meanings } from './parse/meanings.ts';
import { Rebuild } from './parse/rebuild.ts';
import { hasNumberedInput, judgeRedirection } from './parse/redirections.ts';
import { Unsupported } from './parse/unsupported.ts';
import { isHarmlessName, nameReason } from './parse/variables.ts';
import { inFolders, noPlaces, type Placed } from './programs/places.ts';

const maxActions = 400;
const maxDepth = 64;

/** Of a place in the tree. */
type Place = { rebuild: Rebuild; depth: number; hasInput: boolean; inLoop: boolean; moved: boolean };

/** Of the machine that it runs on: whether it begins in /, and the variables that the runner sets beside its own. */
export type Surroundings = { beginsAtRoot: boolean; environment: readonly string[] };

export function judgeScript(
  script: ParsedScript,
  source: string,
  { beginsAtRoot, environment }: Surroundings,
): ShellAction[] {
  const actions: (Placed & { moved: boolean })[] = [];
  const meanings = new Meanings(script);
  const folders = new Folders(source);
  const held = new HeldTexts(script, environment);
  const isOwn = (name: string): boolean => isHarmlessName(name) || held.isPrivate(name);
  /** Which names may be set, of assignments that are not the shell's own. */
  const mayBeSet = new Map<SyntaxNode, (name: string) => boolean>();
  const withText = namesWithText(script);
  const numberedInput = hasNumberedInput(script);
  const add = (action: Placed, moved = false): void => {
    if (actions.length >= maxActions) throw new Unsupported(`it has more than ${maxActions} parts`);
    actions.push({ ...action, moved });
  };
  const once = (command: string, reason: string | undefined, decision?: 'ask'): void => {
    if (reason === undefined) return;
    add({ effect: 'once', command, reason, places: noPlaces, ...(decision ? { decision } : {}) });
  };

  const visit = (node: SyntaxNode, { rebuild, depth, hasInput, inLoop, moved }: Place): void => {
    if (depth > maxDepth) throw new Unsupported(`it is nested more than ${maxDepth} levels deep`);
    let inside = rebuild;
    switch (node.type) {
      case 'Script':
        refuseErrors(node);
        if (node.source !== undefined) inside = new Rebuild(node.source);
        break;
      case 'Command': {
        const words = node.suffix.filter((item) => item.type === 'Word' || item.type === 'Assignment');
        const argv = [...(node.name === undefined ? [] : [node.name]), ...words];
        const spoken = argv.map((word, index) =>
          named(withMeanings(word, { meanings, held, rebuild }), word, index, rebuild),
        );
        folders.enter(spoken, inLoop);
        // in front of a command they are for the command
        const forCommand = splitsInput(node) ? () => true : isHarmlessName;
        if (node.name !== undefined) for (const item of node.prefix) mayBeSet.set(item, forCommand);
        for (const item of node.suffix) mayBeSet.set(item, isHarmlessName);
        const shell = { hasInput: redirectedInput(node.redirects, hasInput), isOwn };
        for (const action of judgeArgv(spoken, shell)) add(action, moved);
        break;
      }
      case 'Redirect':
      case 'HereString':
      case 'HereDoc': {
        const target =
          node.type === 'Redirect' && node.target && withMeanings(node.target, { meanings, held, rebuild });
        const action = judgeRedirection(node, target || undefined, rebuild.redirection(node), numberedInput);
        if (action !== undefined) add(action, moved);
        break;
      }
      case 'Assignment': {
        const command = rebuild.assignment(node);
        const may = mayBeSet.get(node) ?? isOwn;
        if (!may(node.name)) once(command, nameReason(node.name));
        once(command, subscriptReason(node.index?.text, withText));
        if (node.value.type === 'ArrayValue')
          for (const element of node.value.elements)
            if (element.text.startsWith('['))
              once(command, subscriptReason(/^\[(.*?)\]/.exec(element.text)?.[1] ?? element.text, withText));
        break;
      }
      case 'For':
      case 'Select':
        if (!isOwn(node.name.value)) once(`for ${node.name.text}`, nameReason(node.name.value));
        if (node.type === 'Select') once(`select ${node.name.text}`, 'select waits for input');
        break;
      case 'Function':
        once(
          `${node.name.text}()`,
          `it defines ${node.name.text}, which would run in place of a command`,
          'ask',
        );
        break;
      case 'Coproc':
        once('coproc', 'coproc sets variables and keeps running');
        break;
      case 'SimpleExpansion':
        break;
      case 'ParameterExpansion': {
        const { operation, prefix, index, parameter, text } = node;
        const lists = index?.text === '@' || index?.text === '*' || operation?.type === 'Names';
        if (prefix === '!' && !lists)
          once(text, 'the name of the variable is not known, and can hold a command');
        once(text, subscriptReason(index?.text, withText));
        if (operation?.type === 'Transform' && !/^[QEUuLAKak]$/.test(operation.operand.text))
          once(text, 'the value is expanded as a prompt, which can hold a command');
        if (operation?.type === 'Unknown') throw new Unsupported(`${text} is not understood`);
        if (operation?.type === 'Default' && operation.operator.endsWith('=') && !isOwn(parameter))
          once(text, nameReason(parameter));
        if (operation?.type === 'Slice') {
          once(text, numberReason(operation.offset.text.trim(), withText));
          if (operation.length) once(text, numberReason(operation.length.text.trim(), withText));
        }
        break;
      }
      case 'ArithmeticExpansion':
      case 'ArithmeticCommand': {
        const text = node.type === 'ArithmeticCommand' ? `((${node.body}))` : node.text;
        if (node.expression !== undefined) once(text, arithmeticReason(node.expression, withText));
        else if (/\S/.test(text.replaceAll(/[$()[\]]/g, ''))) once(text, 'the arithmetic is not understood');
        break;
      }
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update])
          if (part !== undefined) {
            once('for ((...))', arithmeticReason(part, withText));
          }
        break;
      // an assignment in arithmetic sets a variable, too
      case 'ArithmeticBinary':
        if (/^(?:<<|>>|[-+*/%&|^])?=$/.test(node.operator))
          once(node.operator, settingReason(node.left, isOwn));
        break;
      case 'ArithmeticUnary':
        if (node.operator === '++' || node.operator === '--')
          once(node.operator, settingReason(node.operand, isOwn));
        break;
      case 'TestUnary':
        if (/^-[vR]$/.test(node.operator) && !isHarmlessName(node.operand.value))
          once(`[[ ${node.operator} ]]`, 'the name of the variable can hold a command');
        if (node.operator === '-t') once('[[ -t ]]', numberReason(node.operand.text, withText));
        break;
      case 'TestBinary':
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)) {
          const text = `[[ ${node.left.text} ${node.operator} ${node.right.text} ]]`;
          once(text, numberReason(node.left.text, withText) ?? numberReason(node.right.text, withText));
        }
        break;
      case 'ExtendedGlob':
        throw new Unsupported('extended globs such as @(a|b) are not supported: write the names');
      default:
        break;
    }
    const loops = inLoop || isLoop(node);
    if (node.type === 'For') meanings.enter(node);
    forEachChild(node, (child) => {
      const given = childHasInput(node, child, hasInput);
      const place = { rebuild: inside, depth: depth + 1, hasInput: given, inLoop: loops };
      visit(child, { ...place, moved: moved || hasMoved(node, child) });
      meanings.learn(child);
    });
    if (node.type === 'For') meanings.leave(node);
  };
  visit(script, {
    rebuild: new Rebuild(source),
    depth: 0,
    hasInput: execHasInput(script),
    inLoop: false,
    moved: false,
  });
  return actions.map(({ moved, ...action }) => inFolders(action, folders.of(moved), beginsAtRoot));
}

/** `IFS= read -r line`: for this command alone, which runs nothing. */
function splitsInput({ name, prefix }: Command): boolean {
  const names = prefix.map((item) => (item.type === 'Assignment' ? item.name : ''));
  return name !== undefined && literalValue(name) === 'read' && names.every((word) => word === 'IFS');
}

function isLoop({ type }: SyntaxNode): boolean {
  return /^(?:For|While|Select|ArithmeticFor|Function)$/.test(type);
}

type Known = { meanings: Meanings; held: HeldTexts; rebuild: Rebuild };

function withMeanings(word: Word | Assignment, { meanings, held, rebuild }: Known): Argument {
  const argument = toArgument(word, rebuild);
  if (word.type !== 'Word' || argument.value !== undefined) return argument;
  const { isOperand, isOne } = held.look(word);
  return {
    ...argument,
    ...(isOperand ? { isOperand } : {}),
    ...(isOne ? { many: false } : {}),
    meanings: meanings.of(word),
  };
}

/** The name of a command is spelled as one: a quoted keyword stays a name. */
function named(argument: Argument, word: Word | Assignment, index: number, rebuild: Rebuild): Argument {
  return index === 0 && word.type === 'Word' ? { ...argument, text: rebuild.name(word) } : argument;
}

function refuseErrors(script: ParsedScript | Script): void {
  const [error] = 'errors' in script ? (script.errors ?? []) : [];
  if (error !== undefined) throw new Unsupported(`bash could not read it: ${error.message}`);
}

function subscriptReason(text: string | undefined, withText: Set<string>): string | undefined {
  return text === undefined || text === '@' || text === '*' ? undefined : numberReason(text, withText);
}

function settingReason(node: ArithmeticExpression, isOwn: (name: string) => boolean): string | undefined {
  const name = node.type === 'ArithmeticWord' ? node.value.trim() : '';
  return isOwn(name) ? undefined : nameReason(name);
}

// Walks a parsed script and collects its actions: every simple command however nested, redirections, assignments, and
// commands that the shell itself can run through arithmetic, subscripts and indirect names.
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
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import type { ShellAction } from './shell-action.ts';
import { judgeArgv } from './judge-argv.ts';
import { toArgument, type Argument } from './parse/argument.ts';
import { arithmeticReason, namesWithText, numberReason } from './parse/arithmetic.ts';
import { Folders, hasMoved } from './parse/folders.ts';
import { HeldTexts } from './parse/held.ts';
import { suffixOf } from './parse/git-words.ts';
import { childHasInput, execHasInput, redirectedInput } from './parse/input.ts';
import { literalValue } from './parse/literal.ts';
import { Meanings } from './parse/meanings.ts';
import { Rebuild } from './parse/rebuild.ts';
import { hasNumberedInput, judgeRedirection } from './parse/redirections.ts';
import { Unsupported } from './parse/unsupported.ts';
import { isHarmlessName, choosesByName, nameReason } from './parse/variables.ts';
import { inFolders, noPlaces, type Placed } from './programs/places.ts';

const maxActions = 400;
const maxDepth = 64;

type ScriptContext = { rebuild: Rebuild; depth: number; hasInput: boolean; inLoop: boolean; moved: boolean };

/** The machine of the run: `beginsAtRoot` if the line begins in /, and the variables that the runner sets beside its own. */
export type Surroundings = { beginsAtRoot: boolean; environment: readonly string[] };

export function judgeScript(script: ParsedScript, source: string, surroundings: Surroundings): ShellAction[] {
  return new ScriptJudge(script, source, surroundings).judge();
}

class ScriptJudge {
  readonly #script: ParsedScript;
  readonly #source: string;
  readonly #beginsAtRoot: boolean;
  readonly #actions: (Placed & { moved: boolean })[] = [];
  readonly #meanings: Meanings;
  readonly #folders: Folders;
  readonly #held: HeldTexts;
  /** Names that assignments may set although they are not the shell's own. */
  readonly #mayBeSet = new Map<SyntaxNode, (name: string) => boolean>();
  readonly #withText: Set<string>;
  readonly #numberedInput: boolean;

  constructor(script: ParsedScript, source: string, { beginsAtRoot, environment }: Surroundings) {
    this.#script = script;
    this.#source = source;
    this.#beginsAtRoot = beginsAtRoot;
    this.#meanings = new Meanings(script);
    this.#folders = new Folders(source);
    this.#held = new HeldTexts(script, environment);
    this.#withText = namesWithText(script);
    this.#numberedInput = hasNumberedInput(script);
  }

  judge(): ShellAction[] {
    const rebuild = new Rebuild(this.#source);
    const hasInput = execHasInput(this.#script);
    this.#visit(this.#script, { rebuild, depth: 0, hasInput, inLoop: false, moved: false });
    return this.#actions.map(({ moved, ...action }) =>
      inFolders(action, this.#folders.of(moved), this.#beginsAtRoot),
    );
  }

  #visit(node: SyntaxNode, place: ScriptContext): void {
    const { rebuild, depth, hasInput, inLoop, moved } = place;
    if (depth > maxDepth) throw new Unsupported(`it is nested more than ${maxDepth} levels deep`);
    this.#judge(node, place);
    const inside = node.type === 'Script' && node.source !== undefined ? new Rebuild(node.source) : rebuild;
    const loops = inLoop || isLoop(node);
    if (node.type === 'For') this.#meanings.enter(node);
    forEachChild(node, (child) => {
      const given = childHasInput(node, child, hasInput);
      const next = { rebuild: inside, depth: depth + 1, hasInput: given, inLoop: loops };
      this.#visit(child, { ...next, moved: moved || hasMoved(node, child) });
      this.#meanings.learn(child);
    });
    if (node.type === 'For') this.#meanings.leave(node);
  }

  #judge(node: SyntaxNode, place: ScriptContext): void {
    switch (node.type) {
      case 'Script':
        return refuseErrors(node);
      case 'Command':
        return this.#judgeCommand(node, place);
      case 'Redirect':
      case 'HereString':
      case 'HereDoc':
        return this.#judgeRedirect(node, place);
      case 'Assignment':
        return this.#judgeAssignment(node, place);
      case 'For':
      case 'Select':
        if (!this.#isOwn(node.name.value)) this.#once(`for ${node.name.text}`, nameReason(node.name.value));
        if (node.type === 'Select') this.#once(`select ${node.name.text}`, 'select waits for input');
        return;
      case 'Function': {
        const name = node.name.text;
        return this.#once(`${name}()`, `it defines ${name}, which would run in place of a command`, 'ask');
      }
      case 'Coproc':
        return this.#once('coproc', 'coproc sets variables and keeps running');
      case 'ParameterExpansion':
        return this.#judgeParameter(node);
      case 'TestUnary':
        if (/^-[vR]$/.test(node.operator) && !isHarmlessName(node.operand.value))
          this.#once(`[[ ${node.operator} ]]`, 'the name of the variable can hold a command');
        if (node.operator === '-t') this.#once('[[ -t ]]', this.#numberReason(node.operand.text));
        return;
      case 'TestBinary':
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)) {
          const text = `[[ ${node.left.text} ${node.operator} ${node.right.text} ]]`;
          this.#once(text, this.#numberReason(node.left.text) ?? this.#numberReason(node.right.text));
        }
        return;
      case 'ExtendedGlob':
        throw new Unsupported('extended globs such as @(a|b) are not supported: write the names');
      default:
        this.#judgeArithmetic(node);
    }
  }

  #judgeCommand(node: Command, { rebuild, hasInput, inLoop, moved }: ScriptContext): void {
    const words = suffixOf(node).filter((item) => item.type === 'Word' || item.type === 'Assignment');
    const argv = present([node.name, ...words]);
    const spoken = argv.map((word, index) => named(this.#withMeanings(word, rebuild), word, index, rebuild));
    this.#folders.enter(spoken, inLoop);
    // before a command they apply to that command
    const forCommand = splitsInput(node) ? () => true : isHarmlessName;
    if (node.name !== undefined) for (const item of node.prefix) this.#mayBeSet.set(item, forCommand);
    for (const item of node.suffix) this.#mayBeSet.set(item, isHarmlessName);
    const isOwn = (name: string) => this.#isOwn(name);
    const shell = { hasInput: redirectedInput(node.redirects, hasInput), isOwn };
    for (const action of judgeArgv(spoken, shell)) this.#add(action, moved);
  }

  #judgeRedirect(
    node: Extract<SyntaxNode, { type: 'Redirect' | 'HereString' | 'HereDoc' }>,
    { rebuild, moved }: ScriptContext,
  ): void {
    const target =
      node.type === 'Redirect' && node.target ? this.#withMeanings(node.target, rebuild) : undefined;
    const action = judgeRedirection(node, target, rebuild.redirection(node), this.#numberedInput);
    if (action !== undefined) this.#add(action, moved);
  }

  #judgeAssignment(node: Assignment, { rebuild }: ScriptContext): void {
    const command = rebuild.assignment(node);
    const isAllowed = this.#mayBeSet.get(node)?.(node.name) ?? this.#isOwn(node.name);
    if (!isAllowed) this.#once(command, nameReason(node.name), choosesByName(node.name).decision);
    this.#once(command, this.#subscriptReason(node.index?.text));
    if (node.value.type !== 'ArrayValue') return;
    for (const { text } of node.value.elements)
      if (text.startsWith('['))
        this.#once(command, this.#subscriptReason(/^\[(.*?)\]/s.exec(text)?.[1] ?? text));
  }

  #judgeParameter(node: Extract<SyntaxNode, { type: 'ParameterExpansion' }>): void {
    const { operation, prefix, index, parameter, text } = node;
    const lists = index?.text === '@' || index?.text === '*' || operation?.type === 'Names';
    if (prefix === '!' && !lists)
      this.#once(text, 'the name of the variable is not known, and can hold a command');
    this.#once(text, this.#subscriptReason(index?.text));
    if (operation?.type === 'Transform' && !/^[QEUuLAKak]$/.test(operation.operand.text))
      this.#once(text, 'the value is expanded as a prompt, which can hold a command');
    if (operation?.type === 'Unknown') throw new Unsupported(`${text} is not understood`);
    if (operation?.type === 'Default' && operation.operator.endsWith('=') && !this.#isOwn(parameter))
      this.#once(text, nameReason(parameter));
    if (operation?.type === 'Slice') {
      this.#once(text, this.#numberReason(operation.offset.text.trim()));
      if (operation.length) this.#once(text, this.#numberReason(operation.length.text.trim()));
    }
  }

  /** An assignment in arithmetic sets a variable, too. */
  #judgeArithmetic(node: SyntaxNode): void {
    switch (node.type) {
      case 'ArithmeticExpansion':
      case 'ArithmeticCommand': {
        const text = node.type === 'ArithmeticCommand' ? `((${node.body}))` : node.text;
        if (node.expression !== undefined)
          this.#once(text, arithmeticReason(node.expression, this.#withText));
        else if (/\S/.test(text.replaceAll(/[$()[\]]/g, '')))
          this.#once(text, 'the arithmetic is not understood');
        return;
      }
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update])
          if (part !== undefined) this.#once('for ((...))', arithmeticReason(part, this.#withText));
        return;
      case 'ArithmeticBinary':
        if (/^(?:<<|>>|[-+*/%&|^])?=$/.test(node.operator))
          this.#once(node.operator, this.#settingReason(node.left));
        return;
      case 'ArithmeticUnary':
        if (node.operator === '++' || node.operator === '--')
          this.#once(node.operator, this.#settingReason(node.operand));
        return;
      default:
    }
  }

  #add(action: Placed, moved = false): void {
    if (this.#actions.length >= maxActions) throw new Unsupported(`it has more than ${maxActions} parts`);
    this.#actions.push({ ...action, moved });
  }

  #once(command: string, reason: string | undefined, decision?: 'ask'): void {
    if (reason === undefined) return;
    this.#add(defined({ effect: 'once', command, reason, places: noPlaces, decision }));
  }

  #isOwn(name: string): boolean {
    return isHarmlessName(name) || this.#held.isPrivate(name);
  }

  #withMeanings(word: Word | Assignment, rebuild: Rebuild): Argument {
    const argument = toArgument(word, rebuild);
    if (word.type !== 'Word' || argument.value !== undefined) return argument;
    const { isOperand, isOne } = this.#held.look(word);
    return defined({
      ...argument,
      isOperand: isOperand || argument.isOperand,
      many: isOne ? false : argument.many,
      meanings: this.#meanings.of(word),
    });
  }

  #numberReason(text: string): string | undefined {
    return numberReason(text, this.#withText);
  }

  #subscriptReason(text: string | undefined): string | undefined {
    return text === undefined || text === '@' || text === '*' ? undefined : this.#numberReason(text);
  }

  #settingReason(node: ArithmeticExpression): string | undefined {
    const name = node.type === 'ArithmeticWord' ? node.value.trim() : '';
    return this.#isOwn(name) ? undefined : nameReason(name);
  }
}

/** `IFS= read -r line`: applies to this command alone, which runs nothing. */
function splitsInput({ name, prefix }: Command): boolean {
  const names = prefix.map((item) => (item.type === 'Assignment' ? item.name : ''));
  return name !== undefined && literalValue(name) === 'read' && names.every((word) => word === 'IFS');
}

function isLoop({ type }: SyntaxNode): boolean {
  return /^(?:For|While|Select|ArithmeticFor|Function)$/.test(type);
}

/** Quotes the name of a command, so that a quoted keyword stays a name. */
function named(argument: Argument, word: Word | Assignment, index: number, rebuild: Rebuild): Argument {
  return index === 0 && word.type === 'Word' ? { ...argument, text: rebuild.name(word) } : argument;
}

function refuseErrors(script: ParsedScript | Script): void {
  const [error] = 'errors' in script ? (script.errors ?? []) : [];
  if (error !== undefined) throw new Unsupported(`bash could not read it: ${error.message}`);
}

/** Finds names that prevent Helm from parsing a template: functions that it does not have, and variables that nothing declares. Source: Go `text/template/parse`. */

import { isFunction, plainName } from './execution/function-traits.ts';
import type { Expression } from './expression.ts';
import { positionOf, type Template, type TemplateNode } from './syntax.ts';

export interface UndefinedName {
  /** The start offset of the action with the name. */
  readonly at: number;
  /** The error message of Helm. */
  readonly reason: string;
  /** The name of a variable, such as `$web`. */
  readonly variable?: string;
}

/** Returns the first undefined name in a template, or in one of its parts with their own variables; Go also reports it in a branch that it does not execute. */
export function undefinedName({ nodes, defines }: Pick<Template, 'nodes' | 'defines'>): UndefinedName | undefined {
  for (const part of [nodes, ...defines.map(({ body }) => body)]) {
    const found = new Names().inNodes(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

class Names {
  /** The declared variables; the last ones are those of the innermost block. */
  readonly #variables: string[] = [''];
  #at = 0;

  inNodes(nodes: readonly TemplateNode[]): UndefinedName | undefined {
    for (const node of nodes) {
      this.#at = positionOf(node) ?? this.#at;
      const found = this.#inNode(node);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #inNode(node: TemplateNode): UndefinedName | undefined {
    switch (node.kind) {
      case 'output':
        return this.#inExpression(node.expression);
      case 'set':
        if (node.declares) this.#variables.push(node.variable);
        return this.#ofVariable(node.variable) ?? this.#inExpression(node.expression);
      case 'if':
      case 'with':
      case 'range': {
        const before = this.#variables.length;
        this.#variables.push(...node.variables);
        const found = this.#inExpression(node.expression) ?? this.inNodes(node.body) ?? this.inNodes(node.otherwise);
        this.#variables.length = before;
        return found;
      }
      default:
        return undefined;
    }
  }

  #inExpression(expression: Expression): UndefinedName | undefined {
    switch (expression.kind) {
      case 'variable':
        return this.#ofVariable(expression.name);
      case 'field':
        return this.#inExpression(expression.of);
      case 'call':
        return this.#ofFunction(expression.name) ?? this.#inAll(expression.parameters);
      default:
        return undefined;
    }
  }

  #inAll(expressions: readonly Expression[]): UndefinedName | undefined {
    for (const each of expressions) {
      const found = this.#inExpression(each);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #ofVariable(name: string): UndefinedName | undefined {
    const variable = `$${name}`;
    return this.#variables.includes(name)
      ? undefined
      : { at: this.#at, reason: `undefined variable ${variable}`, variable };
  }

  #ofFunction(name: string): UndefinedName | undefined {
    return builtIn.has(name) || isFunction(plainName(name))
      ? undefined
      : { at: this.#at, reason: `function "${name}" not defined` };
  }
}

/** The functions that are evaluated in their own way. */
const builtIn = new Set(['and', 'or', 'call']);

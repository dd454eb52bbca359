/** The package has no types of its own. Only what text-part.ts uses. */
declare module 'html-to-text' {
  export type Node = {
    type: string
    name?: string
    data?: string
    attribs?: Record<string, string>
    children?: Node[]
  }
  export type Builder = { addInline(text: string, options?: { noWordTransform?: boolean }): void }
  export type Formatter = (
    element: Node,
    walk: (nodes: Node[] | undefined, builder: Builder) => void,
    builder: Builder,
  ) => void

  export function compile(options: {
    wordwrap: false
    formatters: Record<string, Formatter>
    selectors: { selector: string; format?: string; options?: Record<string, unknown> }[]
  }): (html: string) => string
}

import { useMemo } from 'react'
import type { Catalog } from '#domains/workflows/contract.ts'
import { NODES_MAX } from '#domains/workflows/values.ts'
import { toast, toastWithUndo } from '../ui/toast.ts'
import type { CanvasEdits, Offer } from './canvas-contract.ts'
import { newNode, offersAt } from './catalog.ts'
import { asText, nodesIn } from './clipboard.ts'
import type { WorkflowDraft } from './draft.ts'
import { nearest } from './moves.ts'
import * as tree from './tree.ts'
import { summaryOf, titleOf, type Names } from './words.ts'

export type Edits = CanvasEdits & {
  set: (path: string, fields: Record<string, unknown>) => void
  wrap: (path: string, kind: 'condition' | 'loop') => void
}

type Props = {
  draft: WorkflowDraft
  catalog: Catalog
  names: Names
  /** Selects a step after an edit. */
  select: (stop: string) => void
  /** The same, and focuses its panel. */
  open: (stop: string) => void
  /** Marks a step as edited. */
  touch: (node: tree.TreeNode) => void
}

/** All edits of the tree, for the canvas and the panel. */
export function useEdits({ draft, catalog, names, select, open, touch }: Props): Edits {
  return useMemo(() => {
    const nodesNow = () => draft.state.get().history.now.nodes
    const put = (nodes: tree.Nodes, about?: string) =>
      draft.edit(content => (content.nodes === nodes ? content : { ...content, nodes }), about)

    function putMoved(edited: tree.Edited | undefined) {
      if (!edited) return
      put(edited.nodes)
      select(edited.path)
    }

    /** False if there would be too many. */
    function insert(place: tree.Place, added: tree.Nodes): boolean {
      if (tree.count(nodesNow()) + tree.count(added) > NODES_MAX) {
        toast(`A workflow can have at most ${NODES_MAX} steps.`)
        return false
      }
      put(tree.insert(nodesNow(), place, added))
      return true
    }

    function paste(place: tree.Place, text: string): boolean {
      const nodes = nodesIn(text)
      if (!nodes) toast('No steps on the clipboard.')
      else if (insert(place, nodes)) select(tree.pathAt(place))
      return nodes !== undefined
    }

    return {
      offers: place => [...pasteOffer(names), ...offersAt(catalog, nodesNow(), place)],
      add(place, offer) {
        if (offer.kind === 'paste') return void paste(place, copied ?? '')
        if (insert(place, [newNode(offer.key)])) open(tree.pathAt(place))
      },
      remove(path) {
        const node = tree.nodeAt(nodesNow(), path)
        if (!node) return
        const place = tree.placeOf(path)
        put(tree.remove(nodesNow(), path))
        select(nearest(nodesNow(), path))
        toastWithUndo(`Removed ${titleOf(node, names)}`, async () => {
          // Ctrl+Z may already have restored it.
          if ([...tree.walk(nodesNow())].some(each => each.node === node)) return false
          put(tree.insert(nodesNow(), place, [node]))
          return true
        })
      },
      duplicate(path) {
        const node = tree.nodeAt(nodesNow(), path)
        if (node && insert(tree.placeAfter(path), [structuredClone(node)]))
          select(tree.pathAt(tree.placeAfter(path)))
      },
      move: (path, way) => putMoved(tree.move(nodesNow(), path, way)),
      wrap: (path, kind) => putMoved(tree.wrap(nodesNow(), path, newNode(kind))),
      copy(path) {
        const node = tree.nodeAt(nodesNow(), path)
        if (node) copied = asText([node])
        return node && copied
      },
      paste,
      set(path, fields) {
        put(tree.setFields(nodesNow(), path, fields), `${path} ${Object.keys(fields).join(' ')}`)
        const node = tree.nodeAt(nodesNow(), path)
        if (node) touch(node)
      },
    }
  }, [draft, catalog, names, select, open, touch])
}

/** What was last copied in this tab, for pasting from the menu. */
let copied: string | undefined

function pasteOffer(names: Names): Offer[] {
  const [node] = (copied !== undefined && nodesIn(copied)) || []
  if (!node) return []
  return [
    {
      key: 'paste',
      title: `Paste ${titleOf(node, names)}`,
      description: summaryOf(node, names),
      kind: 'paste',
    },
  ]
}

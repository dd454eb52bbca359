import type { ChatWidget } from '#domains/chat/contract.ts'
import { chatPagePath, snippetOf } from '../../records/chat-widgets/words.ts'
import { CopyIcon, CopyLine } from '../../ui/copy-line.tsx'
import { Section } from '../../ui/page-head.tsx'
import copyClasses from '../../ui/copy-line.module.css'
import partsClasses from '../../ui/parts.module.css'
import classes from './chat-widget.module.css'

/** What to paste into a site, for everybody: who builds the site need not be an admin. */
export function ChatSnippet({ widget }: { widget: ChatWidget }) {
  return (
    <Section
      title="Install"
      about={
        widget.is_on
          ? 'Paste the script into every page that should show the chat, before </body>.'
          : 'Paste the script into your pages, before </body>. It shows nothing until the chat is turned on.'
      }
      actions={<CopyIcon what="script" value={snippetOf(widget)} />}
    >
      <div className={classes.snippet}>
        <pre className={`${partsClasses.inert} ${classes.code}`}>{snippetOf(widget)}</pre>
        <div className={`${copyClasses.lines} ${classes.page}`}>
          <CopyLine label="Its own page" value={location.origin + chatPagePath(widget)} />
        </div>
      </div>
    </Section>
  )
}

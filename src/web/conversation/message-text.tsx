import { useMemo } from 'react'
import { textParts } from '../records/conversations/text-parts.ts'
import classes from './entry.module.css'

/** Words of strangers: plain text, whose web addresses can be followed. */
export function MessageText({ text, mentioned }: { text: string; mentioned?: readonly string[] }) {
  const parts = useMemo(() => textParts(text.trim(), mentioned), [text, mentioned])
  return (
    <div className={classes.text} dir="auto">
      {parts.map(({ kind, text }, at) => {
        // oxlint-disable-next-line react/no-array-index-key -- parts of a text have nothing but their place
        const key = at
        if (kind === 'link')
          return (
            <a key={key} href={text} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
              {text}
            </a>
          )
        return kind === 'mention' ? (
          <b key={key} className={classes.mention}>
            {text}
          </b>
        ) : (
          text
        )
      })}
    </div>
  )
}

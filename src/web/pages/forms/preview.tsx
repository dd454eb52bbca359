import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Bar, Fault } from '../../ui/states.tsx'
import { contentOf, type DraftContent } from './draft-content.ts'
import { previewQuery } from '../../records/forms/forms-cache.ts'
import classes from './builder.module.css'

const QUIET_MS = 350

type Props = {
  content: DraftContent
  /** Whether it can be saved. If not, the last valid content is shown. */
  isRight: boolean
}

/** The hosted page of the draft as the server renders it, a moment after the last edit. */
export function Preview({ content, isRight }: Props) {
  const [right, setRight] = useState(content)
  if (isRight && right !== content) setRight(content)
  const [quiet] = useDebouncedValue(right, QUIET_MS)
  const { data, error, isPending, refetch } = useQuery(previewQuery(contentOf(quiet)))
  return (
    <section className={classes.preview} aria-label="Page preview">
      {data ? (
        <iframe className={classes.page} title="Preview" sandbox="" srcDoc={asPicture(data.html)} />
      ) : isPending ? (
        <div className={classes.previewWaiting} aria-busy>
          <Bar width="60%" height={24} />
          <Bar width="100%" height={40} />
          <Bar width="100%" height={40} />
          <Bar width="100%" height={90} />
        </div>
      ) : (
        <Fault error={error} retry={() => void refetch()} />
      )}
    </section>
  )
}

/** Without scripts, which the sandbox would block with an error: the preview is only looked at. */
function asPicture(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const script of page.querySelectorAll('script')) script.remove()
  return `<!doctype html>${page.documentElement.outerHTML}`
}

import { useMemo } from 'react'
import { mailPage } from './mail-page.ts'
import classes from './mail-frame.module.css'

type Props = { html: string; title: string; dark?: boolean; className?: string | undefined }

/** A mail as its reader sees it. It was written by others: no script of it runs, and no link of it leads anywhere. */
export function MailFrame({ html, title, dark = false, className }: Props) {
  const page = useMemo(() => mailPage(html, dark), [html, dark])
  return (
    <iframe
      className={className ? `${classes.frame} ${className}` : classes.frame}
      data-dark={dark || undefined}
      title={title}
      sandbox=""
      srcDoc={page}
    />
  )
}

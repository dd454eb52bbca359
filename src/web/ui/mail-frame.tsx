import { useMemo } from 'react'
import { mailPage } from './mail-page.ts'
import classes from './mail-frame.module.css'

type Props = { html: string; title: string; dark?: boolean; className?: string | undefined }

/** An email as its reader sees it. Untrusted: no script runs, and no link works. */
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

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconMailbox from 'icon:mailbox'
import { paths } from '../../paths.ts'
import { PausedBanner } from '../../records/sequences/paused-banner.tsx'
import { outreachSettingsQuery } from '../../records/sequences/sequences-cache.ts'
import noticeClasses from '../../ui/notice.module.css'

/** What everybody who looks at messages must know: whether they reach anybody at all. */
export function Banners() {
  const settings = useQuery(outreachSettingsQuery).data
  return (
    <>
      <PausedBanner />
      {settings?.mail === 'outbox' && (
        <p className={noticeClasses.bar} data-tone="plain">
          <IconMailbox size={16} aria-hidden />
          <span>
            Nobody receives these mails: <code>SMTP_URL</code> is not set. They are kept here so that you can
            try everything. <Link to={paths.outreachSettings}>How to connect a mail server</Link>
          </span>
        </p>
      )}
    </>
  )
}

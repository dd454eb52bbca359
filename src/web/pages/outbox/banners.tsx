import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconMailbox from 'icon:mailbox'
import { paths } from '../../paths.ts'
import { PausedBanner } from '../../records/sequences/paused-banner.tsx'
import { outreachSettingsQuery } from '../../records/sequences/sequences-cache.ts'
import noticeClasses from '../../ui/notice.module.css'

/** Says when messages reach nobody: outreach is paused, or no mail server is connected. */
export function Banners() {
  const settings = useQuery(outreachSettingsQuery).data
  return (
    <>
      <PausedBanner />
      {settings?.mail === 'outbox' && (
        <p className={noticeClasses.bar} data-tone="plain">
          <IconMailbox size={16} aria-hidden />
          <span>
            Emails are not delivered: <code>SMTP_URL</code> is not set. They are kept here so you can try
            everything. <Link to={paths.outreachSettings}>Connect a mail server</Link>
          </span>
        </p>
      )}
    </>
  )
}

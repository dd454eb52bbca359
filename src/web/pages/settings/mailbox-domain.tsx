import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DomainRecord } from '#domains/mailboxes/contract.ts'
import { inWords } from '../../problem.ts'
import { mailboxDomainQuery } from '../../records/mailboxes/mailboxes-cache.ts'
import { CopyLine } from '../../ui/copy-line.tsx'
import copyClasses from '../../ui/copy-line.module.css'
import textClasses from '../../ui/text.module.css'
import { Check, type Tone } from './mailbox-check.tsx'
import classes from './mailbox-settings.module.css'

type Props = { id: string; canChange: boolean }

/** What the domain of a mailbox publishes, so that its email is not taken for spam. */
export function MailboxDomain({ id, canChange }: Props) {
  const { data, error, isFetching, refetch } = useQuery(mailboxDomainQuery(id))
  if (data)
    return data.records.map(record => <RecordCheck key={record.kind} record={record} canChange={canChange} />)
  if (error && !isFetching)
    return (
      <Check
        tone="warn"
        title="SPF, DKIM and DMARC"
        fix={
          <Button variant="default" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      >
        {inWords(error)}
      </Check>
    )
  return (
    <Check tone="none" title="SPF, DKIM and DMARC">
      <span role="status" className={classes.checking}>
        <Loader size={14} />
        Checking
      </span>
    </Check>
  )
}

const tones: Record<DomainRecord['state'], Tone> = {
  good: 'ok',
  missing: 'warn',
  wrong: 'bad',
  unknown: 'none',
}

function RecordCheck({ record, canChange }: { record: DomainRecord; canChange: boolean }) {
  const { state, text, host, found, wanted } = record
  const [isShown, setIsShown] = useState(false)
  const verb = isShown ? 'Hide' : 'Show'
  const canPublish = canChange && wanted !== null
  return (
    <Check
      tone={tones[state]}
      title={titleOf(record)}
      fix={
        canPublish && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={isShown}
            aria-label={`${verb} DNS record for ${record.kind.toUpperCase()}`}
            onClick={() => setIsShown(!isShown)}
          >
            {`${verb} DNS record`}
          </Button>
        )
      }
      more={
        canPublish &&
        isShown && (
          <>
            <span className={textClasses.dim}>
              {found === null
                ? 'Add this TXT record at the provider of your domain.'
                : 'Change the TXT record at the provider of your domain to this.'}
            </span>
            <div className={copyClasses.lines}>
              <CopyLine label="Host" value={host} />
              <CopyLine label="Value" value={wanted} />
            </div>
          </>
        )
      }
    >
      {text}
    </Check>
  )
}

function titleOf({ kind, state }: DomainRecord): string {
  const name = kind.toUpperCase()
  if (state === 'wrong') return `${name} needs attention`
  if (state !== 'missing') return name
  return kind === 'dkim' ? 'DKIM not found' : `${name} is missing`
}

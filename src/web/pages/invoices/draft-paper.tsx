import { Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { Bar } from '../../ui/states.tsx'
import { AccountSelect, LeadSelect } from '../../records/record-select.tsx'
import { customerKnownOf } from './customer.ts'
import type { InvoiceDraft } from './draft.ts'
import { problemsOf, sumsOf, type DraftContent } from './draft-content.ts'
import { DraftLines } from './draft-lines.tsx'
import { billingSettingsQuery } from '../../records/invoices/invoices-cache.ts'
import { PartyLines, Sums } from './paper-parts.tsx'
import fieldsClasses from '../../ui/fields.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './paper.module.css'

const TEXT_LENGTH_MAX = 500
const ADDRESS_LENGTH_MAX = 1_000
const NOTE_LENGTH_MAX = 20_000

/** The invoice while it is being edited. */
export function DraftPaper({ draft }: { draft: InvoiceDraft }) {
  const now = draft.state.use(({ history }) => history.now)
  const problems = problemsOf(now)
  const fault = (place: string) => problems.find(problem => problem.place === place)?.words
  return (
    <article className={classes.paper} aria-label="Invoice">
      <div className={classes.head}>
        <Seller />
        <div className={classes.kind}>
          <p className={`${textClasses.figure} ${classes.title}`}>Invoice</p>
          <p className={classes.dim}>Number assigned when finalized</p>
        </div>
      </div>
      <Customer draft={draft} now={now} emailFault={fault('email')} />
      <DraftLines draft={draft} now={now} fault={fault} />
      <Sums {...sumsOf(now)} currency={now.currency} />
      <Textarea
        className={classes.note}
        label="Note"
        description="Shown below the total."
        autosize
        minRows={2}
        maxRows={10}
        maxLength={NOTE_LENGTH_MAX}
        value={now.note}
        onChange={event => {
          const note = event.currentTarget.value
          draft.edit(now => ({ ...now, note }), 'note')
        }}
      />
    </article>
  )
}

function Seller() {
  const settings = useQuery(billingSettingsQuery).data
  if (!settings) return <Bar width={180} height={40} />
  return (
    <div>
      <PartyLines party={settings.seller} />
      {!settings.seller.address && (
        <p className={classes.dim}>
          Your address is missing. <Link to={paths.billingSettings}>Add it in Billing settings</Link>
        </p>
      )}
    </div>
  )
}

type CustomerProps = { draft: InvoiceDraft; now: DraftContent; emailFault: string | undefined }

/** Picking a lead or account fills in what is known of them; the fields stay editable. */
function Customer({ draft, now, emailFault }: CustomerProps) {
  const { customer } = now
  const field = (name: keyof DraftContent['customer']) => ({
    value: customer[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      draft.edit(now => ({ ...now, customer: { ...now.customer, [name]: value } }), `customer ${name}`)
    },
  })

  async function pick(picked: Pick<DraftContent, 'lead_id'> | Pick<DraftContent, 'account_id'>) {
    // One edit, so that undoing the choice also undoes what it filled in.
    const place = `pick ${Object.values(picked)[0]}`
    draft.edit(now => ({ ...now, ...picked }), place)
    const known = await customerKnownOf(draft.state.get().history.now)
    draft.edit(now => ({ ...now, customer: { ...now.customer, ...known } }), place)
  }

  return (
    <section className={classes.customer} aria-label="Customer">
      <div className={fieldsClasses.pair}>
        <LeadSelect value={now.lead_id} set={lead_id => void pick({ lead_id })} />
        <AccountSelect value={now.account_id} set={account_id => void pick({ account_id })} />
        <TextInput label="Name" maxLength={TEXT_LENGTH_MAX} autoComplete="off" {...field('name')} />
        <TextInput
          label="Email"
          description="The invoice is sent here"
          type="email"
          autoComplete="off"
          error={emailFault}
          {...field('email')}
        />
        <Textarea
          label="Address"
          autosize
          minRows={3}
          maxRows={8}
          maxLength={ADDRESS_LENGTH_MAX}
          {...field('address')}
        />
        <TextInput label="Tax ID" maxLength={TEXT_LENGTH_MAX} autoComplete="off" {...field('tax_id')} />
      </div>
    </section>
  )
}

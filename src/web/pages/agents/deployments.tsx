import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconCoin from 'icon:coin'
import IconDownload from 'icon:download'
import type { ReactNode } from 'react'
import type { Deployment } from '#domains/agents/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { Listing } from '../../ui/list-page.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Empty } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { CopyIcon } from '../../ui/copy-line.tsx'
import { claimedQuery, salesQuery } from '../../records/agents/agents-cache.ts'
import table from '../../ui/table.module.css'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './deployments.module.css'

/** Sold agents with their buyers and payments. */
export function Sales() {
  const query = useInfiniteQuery(salesQuery)
  const canSeeInvoices = useCan('billing:read')
  return (
    <Listing
      query={query}
      waiting="Loading sales"
      nothing={
        <Empty icon={<IconCoin size={32} stroke={1.4} />} title="No sales yet">
          Give an agent a price and list it. Buyers pay on-chain, and each sale appears here with its invoice.
        </Empty>
      }
    >
      {(sales, more) => (
        <Deployments label="Sold agents" deployments={sales} more={more}>
          {({ agent_id, agent, invoice_id, claimed }) => (
            <>
              <Link to={patterns.agent} params={{ id: agent_id }}>
                {agent.name}
              </Link>
              <span className={textClasses.under}>
                {claimed ? 'Claimed' : 'Not claimed yet'}
                {invoice_id && canSeeInvoices && (
                  <>
                    {' · '}
                    <Link to={patterns.invoice} params={{ id: invoice_id }}>
                      Invoice
                    </Link>
                  </>
                )}
              </span>
            </>
          )}
        </Deployments>
      )}
    </Listing>
  )
}

/** Purchased agents claimed by this team. */
export function Claimed({ claim }: { claim: (() => void) | undefined }) {
  const query = useInfiniteQuery(claimedQuery)
  return (
    <Listing
      query={query}
      waiting="Loading claimed agents"
      nothing={
        <Empty
          icon={<IconDownload size={32} stroke={1.4} />}
          title="No claimed agents yet"
          action={claim && <Button onClick={claim}>Claim a purchased agent</Button>}
        >
          Add a purchased agent to this team with its URL and key.
        </Empty>
      }
    >
      {(claimed, more) => (
        <Deployments label="Claimed agents" deployments={claimed} more={more}>
          {({ agent, claimed_agent_id }) =>
            claimed_agent_id ? (
              <Link to={patterns.agent} params={{ id: claimed_agent_id }}>
                {agent.name}
              </Link>
            ) : (
              agent.name
            )
          }
        </Deployments>
      )}
    </Listing>
  )
}

const states: Record<string, [tone: string, word: string]> = {
  WATCHED: ['amber', 'Confirmed, not final yet'],
  FINAL: ['green', 'Final'],
  REORGED: ['red', 'Reverted by the chain'],
}

type Props = {
  label: string
  deployments: Deployment[]
  more: ReactNode
  children: (deployment: Deployment) => ReactNode
}

function Deployments({ label, deployments, more, children }: Props) {
  return (
    <div className={pageClasses.list}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <div className={table.wrap} role="region" aria-label={label} tabIndex={0}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Amount</th>
              <th scope="col">Payment</th>
              <th scope="col">Paid by</th>
              <th scope="col">Transaction</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {deployments.map(deployment => {
              const [tone, word] = states[deployment.state] ?? ['slate', deployment.state]
              return (
                <tr key={deployment.id}>
                  <td className={table.name}>{children(deployment)}</td>
                  <td className={classes.amount}>{deployment.amount}</td>
                  <td>
                    <Dotted tone={tone}>{word}</Dotted>
                  </td>
                  <td>
                    <Short what="the payer" text={deployment.payer} />
                  </td>
                  <td>
                    <Short what="the transaction" text={deployment.tx_hash} />
                  </td>
                  <td className={textClasses.dim}>
                    <Time at={deployment.created_at} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {more}
    </div>
  )
}

/** Addresses and hashes are recognized by their first and last characters. */
function Short({ what, text }: { what: string; text: string }) {
  return (
    <span className={classes.short}>
      <code title={text}>{`${text.slice(0, 8)}…${text.slice(-6)}`}</code>
      <CopyIcon what={what} value={text} />
    </span>
  )
}

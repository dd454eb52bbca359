import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconSend from 'icon:send'
import { useState } from 'react'
import type { WebhookEndpoint } from '#domains/deliveries/contract.ts'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { endpointsQuery } from './deliveries-cache.ts'
import { EndpointCard } from './endpoint-card.tsx'
import cardClasses from '../../ui/card.module.css'

const SHOWN_AT_FIRST = 4

/** Endpoints that need attention come first, removed ones last. */
export function Endpoints() {
  const [showsAll, setShowsAll] = useState(false)
  const query = useQuery(endpointsQuery)
  if (query.isPending) {
    return (
      <div role="status" aria-busy aria-label="Loading endpoints" className={cardClasses.cards}>
        <Bar width="100%" height={104} />
        <Bar width="100%" height={104} />
      </div>
    )
  }
  if (!query.data) return <Fault error={query.error} retry={() => void query.refetch()} />
  if (query.data.length === 0) {
    return (
      <Empty
        icon={<IconSend size={28} stroke={1.4} />}
        title="No endpoints yet"
        action={
          <LinkButton to={paths.forms} search={{}} variant="default">
            Open forms
          </LinkButton>
        }
        compact
      >
        Add a webhook URL in a form's settings to send its submissions there.
      </Empty>
    )
  }
  const endpoints = query.data.toSorted((a, b) => urgency(a) - urgency(b))
  const shown = showsAll ? endpoints : endpoints.slice(0, SHOWN_AT_FIRST)
  return (
    <>
      <ul className={cardClasses.cards}>
        {shown.map(endpoint => (
          <EndpointCard key={endpoint.id} endpoint={endpoint} />
        ))}
      </ul>
      {endpoints.length > SHOWN_AT_FIRST && (
        <Button mt="sm" variant="subtle" color="gray" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${endpoints.length} endpoints`}
        </Button>
      )}
    </>
  )
}

function urgency({ status, failing_since }: WebhookEndpoint): number {
  if (status === 'DISABLED') return 0
  if (status === 'REMOVED') return 3
  return failing_since ? 1 : 2
}

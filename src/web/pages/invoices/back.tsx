import IconArrowLeft from 'icon:arrow-left'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import classes from './invoice-page.module.css'

export function BackToInvoices() {
  return (
    <div className={classes.top}>
      <LinkButton
        to={paths.invoices}
        size="xs"
        variant="subtle"
        color="gray"
        leftSection={<IconArrowLeft size={16} />}
      >
        Invoices
      </LinkButton>
    </div>
  )
}

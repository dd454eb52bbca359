import { Button, TagsInput, TextInput } from '@mantine/core'
import IconExternalLink from 'icon:external-link'
import { useState } from 'react'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { ALLOWED_DOMAINS_MAX } from '#domains/forms/values.ts'
import { useCan } from '../../queries.ts'
import { PageBody, Section } from '../../ui/page-head.tsx'
import { CopyLine, CopyIcon } from '../../ui/copy-line.tsx'
import { hostedAddress, hostedPath } from './hosted.ts'
import { frameSnippet, linkWithValues, scriptSnippet } from './snippets.ts'
import copy from '../../ui/copy-line.module.css'
import partsClasses from '../../ui/parts.module.css'
import classes from './settings.module.css'
import { forms } from '../../records/forms/store.ts'

const DOMAIN = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/

/** How visitors come to the form: by its address, or on a website of one's own. */
export function FormShare({ form }: { form: FormWithCounts }) {
  const address = hostedAddress(form.slug)
  return (
    <PageBody>
      <Section
        title="Link"
        about={
          form.published
            ? 'Anybody who has it can fill in the form.'
            : 'Nobody sees the form there before it is published.'
        }
        actions={
          form.published && (
            <Button
              component="a"
              size="xs"
              variant="default"
              href={hostedPath(form.slug)}
              target="_blank"
              rel="noreferrer"
              leftSection={<IconExternalLink size={16} />}
            >
              Open
            </Button>
          )
        }
      >
        <div className={copy.lines}>
          <CopyLine label="Address" value={address} />
        </div>
      </Section>
      <Section
        title="On your website"
        about="Put this where the form should stand. The script makes room for the form as it grows, and tells where the visitor came from."
      >
        <Snippet name="Script" text={scriptSnippet(form)} />
        <Snippet name="Frame, where scripts are not allowed" text={frameSnippet(form)} />
        <DomainsInput form={form} />
      </Section>
      <Section
        title="Fill in before it is opened"
        about="Fields that may be filled in by the link, and hidden ones, take their values from it. utm_… says which campaign brought the visitor, and is kept with the submission and the lead."
      >
        <div className={copy.lines}>
          <CopyLine label="Example" value={linkWithValues(form)} />
        </div>
      </Section>
    </PageBody>
  )
}

function Snippet({ name, text }: { name: string; text: string }) {
  return (
    <div className={classes.snippet}>
      <div className={classes.snippetHead}>
        <h3 className={classes.heading}>{name}</h3>
        <CopyIcon what={name} value={text} />
      </div>
      <pre className={`${partsClasses.inert} ${classes.code}`}>{text}</pre>
    </div>
  )
}

/** None: every site may show it. */
function DomainsInput({ form }: { form: FormWithCounts }) {
  const canWrite = useCan('forms:write')
  const [fault, setFault] = useState<string>()
  function set(domains: string[]) {
    const allowed_domains = [...new Set(domains.map(domainIn))]
    const wrong = allowed_domains.find(domain => !DOMAIN.test(domain))
    setFault(wrong && `${wrong} is no name of a site`)
    if (wrong === undefined)
      void forms.change(form.id, { allowed_domains }, 'Changed which sites may show the form')
  }
  if (!canWrite) {
    const text = form.allowed_domains.join(', ') || 'Every site'
    return <TextInput label="Sites that may show it" maw={480} readOnly value={text} />
  }
  return (
    <TagsInput
      label="Sites that may show it"
      description="Like www.example.com or *.example.com; none: every site"
      maw={480}
      value={form.allowed_domains}
      maxTags={ALLOWED_DOMAINS_MAX}
      error={fault}
      onChange={set}
    />
  )
}

/** People paste what stands in the address bar. */
function domainIn(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
}

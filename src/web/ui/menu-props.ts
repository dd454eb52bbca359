/** Out of the column, which would cut it off, but not out of the page's landmark; and nothing in it but its entries. */
export const menuProps = { portalProps: { target: '#main' }, withInitialFocusPlaceholder: false } as const

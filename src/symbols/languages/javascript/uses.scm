; Read last: whatever was captured before as something more special is that.
(member_expression object: [(identifier) (this)] @receiver property: (property_identifier) @reference.member)
(identifier) @reference.use
(shorthand_property_identifier) @reference.use

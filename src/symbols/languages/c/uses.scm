; What C and C++ have in common: read last, after what is more special.

(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @reference.member-call))
(type_identifier) @reference.type
(identifier) @reference.use

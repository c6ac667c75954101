; Definitions
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.struct
(enum_item name: (type_identifier) @name) @definition.enum
(enum_variant name: (identifier) @name) @definition.enum-member
(trait_item name: (type_identifier) @name) @definition.trait
(impl_item type: [
  (type_identifier) @name
  (primitive_type) @name
  (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (type_identifier) @name)])
  (scoped_type_identifier name: (type_identifier) @name)
  (reference_type type: [(type_identifier) @name (primitive_type) @name (generic_type type: (type_identifier) @name)])]) @definition.implementation
(function_item name: [(identifier) (metavariable)] @name return_type: (_)? @type) @definition.function
(function_signature_item name: (identifier) @name return_type: (_)? @type) @definition.function
(mod_item name: (identifier) @name) @definition.module
(const_item name: (identifier) @name type: (_) @type) @definition.constant
(static_item name: (identifier) @name type: (_) @type) @definition.variable
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field
(macro_definition name: (identifier) @name) @definition.macro

; Imports
(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import
(use_declaration argument: (identifier) @ignore)
(use_declaration argument: (scoped_identifier name: (identifier) @ignore))
(use_list (identifier) @ignore)
(use_list (scoped_identifier name: (identifier) @ignore))
(use_as_clause alias: (identifier) @ignore)
(use_as_clause path: (identifier) @ignore)
(use_as_clause path: (scoped_identifier name: (identifier) @ignore))
(extern_crate_declaration name: (identifier) @ignore)

; Heritage
(trait_item bounds: (trait_bounds [
  (type_identifier) @reference.extends
  (generic_type type: (type_identifier) @reference.extends)]))
(trait_item bounds: (trait_bounds [
  (scoped_type_identifier path: (_) @receiver name: (type_identifier) @reference.extends)
  (generic_type type: (scoped_type_identifier path: (_) @receiver name: (type_identifier) @reference.extends))]))
(impl_item trait: [
  (type_identifier) @reference.implements
  (generic_type type: (type_identifier) @reference.implements)])
(impl_item trait: [
  (scoped_type_identifier path: (_) @receiver name: (type_identifier) @reference.implements)
  (generic_type type: (scoped_type_identifier path: (_) @receiver name: (type_identifier) @reference.implements))])

; Uses
(attribute (identifier) @reference.annotation)
(attribute (scoped_identifier path: (_) @receiver name: (identifier) @reference.annotation))
(attribute (identifier) @_derive arguments: (token_tree (identifier) @reference.annotation) (#eq? @_derive "derive"))
(struct_expression name: (type_identifier) @reference.new)
(struct_expression name: (scoped_type_identifier path: (_) @receiver name: (type_identifier) @reference.new))
(struct_expression name: (generic_type_with_turbofish type: (type_identifier) @reference.new))
(call_expression function: (identifier) @reference.call)
(call_expression function: (generic_function function: (identifier) @reference.call))
(call_expression function: (scoped_identifier path: (_) @receiver name: (identifier) @reference.member-call))
(call_expression function: (generic_function function: (scoped_identifier path: (_) @receiver name: (identifier) @reference.member-call)))
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @reference.member-call))
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @reference.member-call)))
(macro_invocation macro: (identifier) @reference.call)
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (identifier) @reference.member-call))
(token_tree "." . (identifier) @reference.member-call . (token_tree . "("))
(token_tree (identifier) @reference.call . (token_tree . "("))
(scoped_type_identifier path: (_) @receiver name: (type_identifier) @reference.type)
(scoped_type_identifier path: (identifier) @reference.type (#match? @reference.type "^[A-Z]"))
(scoped_identifier path: (identifier) @reference.type (#match? @reference.type "^[A-Z]"))
(scoped_identifier path: (_) @receiver name: (identifier) @reference.member)
(type_identifier) @reference.type
(identifier) @reference.use

; What binds names
[(function_item) (function_signature_item) (closure_expression) (block) (match_arm) (for_expression) (if_expression) (while_expression)] @scope
[(struct_item) (union_item) (enum_item) (impl_item) (trait_item) (type_item)] @scope
(parameter pattern: (identifier) @local type: (_) @type)
(let_declaration pattern: (identifier) @local type: (_) @type)
(let_declaration pattern: (identifier) @local value: (struct_expression name: (_) @type))
(let_declaration pattern: (identifier) @local value: (call_expression function: (scoped_identifier path: [(identifier) (scoped_identifier)] @type name: (identifier) @_new)) (#match? @_new "^(new|default|with_\\w+|builder)$") (#match? @type "(^|::)[A-Z]\\w*$"))
(let_declaration pattern: (identifier) @local)
(let_condition pattern: (identifier) @local (#match? @local "^[a-z_]"))
(for_expression pattern: (identifier) @local)
(closure_parameters (identifier) @local)
(tuple_pattern (identifier) @local)
(tuple_struct_pattern (identifier) @local (#match? @local "^[a-z_]"))
(slice_pattern (identifier) @local)
(match_pattern (identifier) @local (#match? @local "^[a-z_]"))
(or_pattern (identifier) @local (#match? @local "^[a-z_]"))
(captured_pattern (identifier) @local)
(mut_pattern (identifier) @local)
(ref_pattern (identifier) @local)
(reference_pattern (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
(field_pattern pattern: (identifier) @local)
(type_parameter name: (type_identifier) @local)
(const_parameter name: (identifier) @local)
